package stack

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"aviso/localstack/template"
)

// Provision creates the template's tables, queues and secrets at the endpoints that the
// environment names, and does nothing else. Run does so too; use this to look at the
// resources without running the service.
func Provision(ctx context.Context, o Options) error {
	say := newConsole(o.Console)
	baseURL := "http://localhost:" + strconv.Itoa(o.Port)
	tpl, err := template.Load(o.Template, parameters(baseURL, o.Getenv))
	if err != nil {
		return err
	}
	b := &backends{endpoints: given(o.Getenv)}
	if b.endpoints.dynamoDB == "" || b.endpoints.sqs == "" || b.endpoints.secrets == "" {
		return errors.New("set AWS_ENDPOINT_URL to the address of DynamoDB, SQS and Secrets Manager")
	}
	resources, err := b.provision(ctx, tpl, baseURL)
	if err != nil {
		return err
	}
	say.line(fmt.Sprintf("%d tables, %d queues and %d secrets are ready",
		len(resources.Tables), len(resources.Queues), len(resources.Secrets)))
	return nil
}
