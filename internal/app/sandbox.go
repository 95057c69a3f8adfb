package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api"
	"aviso/internal/config"
	"aviso/internal/sandbox"
)

// Sandbox is the function of the sandbox banks. It refuses to be built in
// production, whatever the template says.
func Sandbox(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage, table, baseURL := r.Stage(), r.Required("SANDBOX_TABLE"), r.Optional("BASE_URL", "")
	if err := r.Err(); err != nil {
		return nil, err
	}
	if stage == config.Production {
		return nil, errors.New("the sandbox does not run in production")
	}
	c, err := newClients(ctx)
	if err != nil {
		return nil, err
	}
	return api.LambdaHandler(sandbox.New(sandbox.Options{
		DynamoDB: c.dynamo, Table: table, BaseURL: baseURL, Now: time.Now, Log: slog.Default(),
	})), nil
}
