// Command clock is the Lambda function of that name; package clockfn says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/clockfn"
)

func main() {
	bootstrap.SetUpLog(os.Stdout)
	handler, err := clockfn.New(context.Background(), os.Getenv)
	if err != nil {
		bootstrap.Fail(err)
	}
	lambda.Start(handler)
}
