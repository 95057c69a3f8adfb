// Command letter-feedback is the Lambda function of that name; app.LetterFeedback says what it does.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app"
)

func main() {
	app.SetUpLog(os.Stdout)
	handler, err := app.LetterFeedback(context.Background(), os.Getenv)
	if err != nil {
		app.Fail(err)
	}
	lambda.Start(handler)
}
