// Command cancellation is the Lambda function of that name; package cancellationfn says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/cancellationfn"
)

func main() {
	bootstrap.SetUpLog(os.Stdout)
	handler, err := cancellationfn.New(context.Background(), os.Getenv)
	if err != nil {
		bootstrap.Fail(err)
	}
	lambda.Start(handler)
}
