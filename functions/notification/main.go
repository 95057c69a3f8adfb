// Command notification is the Lambda function of that name; app.Notification says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app"
)

func main() {
	app.SetUpLog(os.Stdout)
	handler, err := app.Notification(context.Background(), os.Getenv)
	if err != nil {
		app.Fail(err)
	}
	lambda.Start(handler)
}
