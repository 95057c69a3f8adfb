// Command pfm is the Lambda function of that name; package pfmfn says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/pfmfn"
)

func main() {
	bootstrap.SetUpLog(os.Stdout)
	handler, err := pfmfn.New(context.Background(), os.Getenv)
	if err != nil {
		bootstrap.Fail(err)
	}
	lambda.Start(handler)
}
