// Command hello is the minimal Lambda function in Go: the floor for every other.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() {
	lambda.Start(func() (string, error) { return "hello", nil })
}
