package stack

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"aviso/localstack/template"
)

// Provision makes the tables, queues and secrets of the template at the endpoints
// that the environment resources, and nothing else. Run does so, too; this is for
// who wants to look at them without it.
func Provision(ctx context.Context, o Options) error {
	say := newConsole(o.Console)
	baseURL := "http://localhost:" + strconv.Itoa(o.Port)
	tpl, err := template.Load(o.Template, parameters(baseURL, o.Getenv))
	if err != nil {
		return err
	}
	b := &backends{endpoints: given(o.Getenv)}
	if b.endpoints.dynamoDB == "" || b.endpoints.sqs == "" || b.endpoints.secrets == "" {
		return errors.New("AWS_ENDPOINT_URL is to say where DynamoDB, SQS and Secrets Manager answer")
	}
	resources, err := b.provision(ctx, tpl, baseURL)
	if err != nil {
		return err
	}
	say.line(fmt.Sprintf("there are %d tables, %d queues and %d secrets", len(resources.Tables), len(resources.Queues), len(resources.Secrets)))
	return nil
}
