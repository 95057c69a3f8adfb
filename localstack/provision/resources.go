package provision

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	queuetypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
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

// Secrets creates every secret of tpl, with a random value if the template asks for one,
// and returns their ARNs by logical ID. An existing secret keeps its value.
func Secrets(
	ctx context.Context, client *secretsmanager.Client, tpl *template.Template, prefix string,
) (map[string]string, error) {
	arns := make(map[string]string, len(tpl.Secrets))
	for _, s := range tpl.Secrets {
		arn, err := secret(ctx, client, s, prefix+s.ID)
		if err != nil {
			return nil, fmt.Errorf("create secret %s: %w", prefix+s.ID, err)
		}
		arns[s.ID] = arn
	}
	return arns, nil
}

func secret(ctx context.Context, client *secretsmanager.Client, s template.Secret, name string) (string, error) {
	text, err := secretText(s)
	if err != nil {
		return "", err
	}
	created, err := client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &name, SecretString: &text})
	if err == nil {
		return aws.ToString(created.ARN), nil
	} else if _, ok := errors.AsType[*types.ResourceExistsException](err); !ok {
		return "", err
	}
	found, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return "", err
	}
	return aws.ToString(found.ARN), nil
}

// secretText does what CloudFormation does with GenerateSecretString.
func secretText(s template.Secret) (string, error) {
	g := s.Generate
	if g == nil {
		return s.Text, nil
	}
	random := (rand.Text() + rand.Text() + rand.Text())[:g.Length]
	if g.Template == "" {
		return random, nil
	}
	members := map[string]any{}
	if err := json.Unmarshal([]byte(g.Template), &members); err != nil {
		return "", fmt.Errorf("SecretStringTemplate: %w", err)
	}
	members[g.Key] = random
	text, err := json.Marshal(members)
	return string(text), err
}

// Queues creates every queue of tpl and returns their addresses by logical ID. A queue's
// name is prefix and the logical ID.
func Queues(ctx context.Context, client *sqs.Client, tpl *template.Template, prefix string) (map[string]string, error) {
	urls := make(map[string]string, len(tpl.Queues))
	for _, q := range tpl.Queues {
		if _, err := makeQueue(ctx, client, tpl, q.ID, prefix, urls); err != nil {
			return nil, err
		}
	}
	return urls, nil
}

// Queue creates one queue of tpl, and its dead-letter queue, and returns its address.
func Queue(ctx context.Context, client *sqs.Client, tpl *template.Template, id, prefix string) (string, error) {
	return makeQueue(ctx, client, tpl, id, prefix, map[string]string{})
}

func makeQueue(
	ctx context.Context, client *sqs.Client, tpl *template.Template, id, prefix string, made map[string]string,
) (string, error) {
	if url, ok := made[id]; ok {
		return url, nil
	}
	q, ok := tpl.Queue(id)
	if !ok {
		return "", fmt.Errorf("the template has no queue %s", id)
	}
	attributes := map[string]string{
		"DelaySeconds":                  seconds(q.Delay),
		"VisibilityTimeout":             seconds(q.VisibilityTimeout),
		"MessageRetentionPeriod":        seconds(q.Retention),
		"ReceiveMessageWaitTimeSeconds": seconds(q.ReceiveWait),
	}
	if q.DeadLetters != "" {
		if q.DeadLetters == id {
			return "", fmt.Errorf("queue %s is its own dead-letter queue", id)
		}
		if _, err := makeQueue(ctx, client, tpl, q.DeadLetters, prefix, made); err != nil {
			return "", err
		}
		policy, err := json.Marshal(map[string]any{
			"deadLetterTargetArn": QueueARN(prefix + q.DeadLetters), "maxReceiveCount": q.MaxReceives,
		})
		if err != nil {
			return "", fmt.Errorf("redrive policy of %s: %w", id, err)
		}
		attributes["RedrivePolicy"] = string(policy)
	}
	name := prefix + id
	url, err := createQueue(ctx, client, name, attributes)
	if err != nil {
		return "", fmt.Errorf("create queue %s: %w", name, err)
	}
	made[id] = url
	return url, nil
}

// createQueue creates a queue, or updates one whose attributes differ: unlike tables,
// queues can be changed in place.
func createQueue(ctx context.Context, client *sqs.Client, name string, attributes map[string]string) (string, error) {
	created, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err == nil {
		return aws.ToString(created.QueueUrl), nil
	} else if _, ok := errors.AsType[*queuetypes.QueueNameExists](err); !ok {
		return "", err
	}
	found, err := client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: &name})
	if err != nil {
		return "", err
	}
	_, err = client.SetQueueAttributes(ctx,
		&sqs.SetQueueAttributesInput{QueueUrl: found.QueueUrl, Attributes: attributes})
	return aws.ToString(found.QueueUrl), err
}

// QueueARN returns the ARN of the queue with this name.
func QueueARN(name string) string {
	return "arn:aws:sqs:" + template.Region + ":" + template.Account + ":" + name
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }
