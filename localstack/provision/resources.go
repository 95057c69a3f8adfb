package provision

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"golang.org/x/sync/errgroup"

	"aviso/localstack/template"
)

// Clients are the clients of the emulators.
type Clients struct {
	DynamoDB *dynamodb.Client
	SQS      *sqs.Client
	Secrets  *secretsmanager.Client
}

// Resources holds the names, addresses or ARNs of one stack's tables, queues and secrets,
// by logical ID.
type Resources struct {
	Tables, Queues, Secrets map[string]string

	template        *template.Template
	baseURL, prefix string
}

// All creates tables, queues and secrets, concurrently. Their names are prefix and the
// logical ID. baseURL is the address of the stack's API.
func All(ctx context.Context, c Clients, tpl *template.Template, baseURL, prefix string) (*Resources, error) {
	r := &Resources{template: tpl, baseURL: baseURL, prefix: prefix}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		r.Tables, err = Tables(ctx, c.DynamoDB, tpl, prefix)
		return err
	})
	group.Go(func() (err error) {
		r.Queues, err = Queues(ctx, c.SQS, tpl, prefix)
		return err
	})
	group.Go(func() (err error) {
		r.Secrets, err = Secrets(ctx, c.Secrets, tpl, prefix)
		return err
	})
	return r, group.Wait()
}

// Environment returns a function's variables: those from the template and those that Lambda
// sets, except the AWS endpoints and credentials.
func (r *Resources) Environment(f template.Function) (map[string]string, error) {
	variables := map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        f.Name,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(f.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"TZ":                              ":UTC",
	}
	for _, name := range slices.Sorted(maps.Keys(f.Environment)) {
		value, err := f.Environment[name].Resolve(r.Resolve)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		variables[name] = value
	}
	return variables, nil
}

// Resolve returns the local value of !Ref (attribute empty) or !GetAtt.
func (r *Resources) Resolve(resource, attribute string) (string, error) {
	arn := "arn:aws:%s:" + template.Region + ":" + template.Account + ":%s"
	if table, ok := r.Tables[resource]; ok {
		switch attribute {
		case "":
			return table, nil
		case "Arn":
			return fmt.Sprintf(arn, "dynamodb", "table/"+table), nil
		}
	}
	if url, ok := r.Queues[resource]; ok {
		switch attribute {
		case "", "QueueUrl":
			return url, nil
		case "Arn":
			return QueueARN(r.prefix + resource), nil
		case "QueueName":
			return r.prefix + resource, nil
		}
	}
	if secret, ok := r.Secrets[resource]; ok && (attribute == "" || attribute == "Id") {
		return secret, nil
	}
	for _, set := range r.template.ConfigurationSets {
		if set.ID == resource && attribute == "" {
			return set.Name, nil
		}
	}
	for _, identity := range r.template.EmailIdentities {
		if identity.ID == resource && attribute == "" {
			return identity.Name, nil
		}
	}
	if f, ok := r.template.Function(resource); ok {
		switch attribute {
		case "":
			return f.Name, nil
		case "Arn":
			return fmt.Sprintf(arn, "lambda", "function:"+f.Name), nil
		}
	}
	if attribute == "ApiEndpoint" {
		return r.baseURL, nil
	}
	return "", fmt.Errorf("%s has no local value", strings.TrimSuffix(resource+"."+attribute, "."))
}
