// Command letter-dispatch is the Lambda function of that name; package letterdispatchfn says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/letterdispatchfn"
)

func main() {
	bootstrap.SetUpLog(os.Stdout)
	handler, err := letterdispatchfn.New(context.Background(), os.Getenv)
	if err != nil {
		bootstrap.Fail(err)
	}
	lambda.Start(handler)
}
