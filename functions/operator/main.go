// Command operator is the Lambda function of that name; package operatorfn says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/operatorfn"
)

func main() {
	bootstrap.SetUpLog(os.Stdout)
	handler, err := operatorfn.New(context.Background(), os.Getenv)
	if err != nil {
		bootstrap.Fail(err)
	}
	lambda.Start(handler)
}
