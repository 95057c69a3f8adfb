// Package provision creates the template's tables, queues and secrets in emulators, as
// CloudFormation does on AWS. It can run repeatedly: existing resources that match the
// template keep their data.
package provision

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	secrettypes "github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	queuetypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"golang.org/x/sync/errgroup"

	"aviso/localstack/template"
)

// Tables creates every table of tpl and returns their names by logical ID. A name is prefix and the logical ID.
func Tables(
	ctx context.Context, client *dynamodb.Client, tpl *template.Template, prefix string,
) (map[string]string, error) {
	names := make(map[string]string, len(tpl.Tables))
	group, ctx := errgroup.WithContext(ctx)
	for _, t := range tpl.Tables {
		names[t.ID] = prefix + t.ID
		group.Go(func() error { return Table(ctx, client, t, prefix+t.ID) })
	}
	return names, group.Wait()
}

// Table creates one table with the given name. If such a table exists but differs from the
// template, the error says how.
func Table(ctx context.Context, client *dynamodb.Client, t template.Table, name string) error {
	_, err := client.CreateTable(ctx, definition(t, name))
	if _, ok := errors.AsType[*types.ResourceInUseException](err); ok {
		return compare(ctx, client, t, name)
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	if t.TTL == "" {
		return nil
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &t.TTL, Enabled: aws.Bool(true)},
	})
	if err != nil {
		return fmt.Errorf("set the time to live of table %s: %w", name, err)
	}
	return nil
}

// definition returns the request that creates a table, without members that emulators do not support.
func definition(t template.Table, name string) *dynamodb.CreateTableInput {
	in := t.Definition
	in.TableName, in.WarmThroughput = &name, nil
	return &in
}

// compare checks that the existing table has the template's keys, indexes and stream.
func compare(ctx context.Context, client *dynamodb.Client, t template.Table, name string) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return fmt.Errorf("describe table %s: %w", name, err)
	}
	// A table's description has at least the members of the request that created it.
	var existing dynamodb.CreateTableInput
	text, err := json.Marshal(out.Table)
	if err := errors.Join(err, json.Unmarshal(text, &existing)); err != nil {
		return fmt.Errorf("read the description of table %s: %w", name, err)
	}
	if got, want := parts(&existing), parts(definition(t, name)); !slices.Equal(got, want) {
		return fmt.Errorf("table %s has %q, but the template has %q; remove the data folder to start from scratch",
			name, got, want)
	}
	return nil
}

// parts describes the parts of a table that must match the template.
func parts(in *dynamodb.CreateTableInput) []string {
	var all []string
	add := func(name *string, key []types.KeySchemaElement, p *types.Projection) {
		var names []string
		for _, k := range key {
			names = append(names, aws.ToString(k.AttributeName))
		}
		text := fmt.Sprintf("%s( %s )", aws.ToString(name), strings.Join(names, " "))
		if p != nil {
			text += fmt.Sprint(" ", p.ProjectionType, slices.Sorted(slices.Values(p.NonKeyAttributes)))
		}
		all = append(all, text)
	}
	add(aws.String("key"), in.KeySchema, nil)
	for _, i := range in.LocalSecondaryIndexes {
		add(i.IndexName, i.KeySchema, i.Projection)
	}
	for _, i := range in.GlobalSecondaryIndexes {
		add(i.IndexName, i.KeySchema, i.Projection)
	}
	for _, a := range in.AttributeDefinitions {
		all = append(all, fmt.Sprint(aws.ToString(a.AttributeName), " is ", a.AttributeType))
	}
	if s := in.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		all = append(all, "stream of "+string(s.StreamViewType))
	}
	slices.Sort(all)
	return all
}

// Clients are the clients of the emulators.
type Clients struct {
	DynamoDB *dynamodb.Client
	SQS      *sqs.Client
	Secrets  *secretsmanager.Client
}

// Config returns the configuration of an emulator's client.
func Config(endpoint string) aws.Config {
	return aws.Config{
		Region:       template.Region,
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: &endpoint,
	}
}

// Connect returns the clients of the emulators at these addresses.
func Connect(dynamoDB, queues, secrets string) Clients {
	return Clients{
		DynamoDB: dynamodb.NewFromConfig(Config(dynamoDB)), SQS: sqs.NewFromConfig(Config(queues)),
		Secrets: secretsmanager.NewFromConfig(Config(secrets)),
	}
}

// Resources holds the names, addresses or ARNs of one stack's tables, queues and secrets,
// by logical ID.
type Resources struct {
	Tables, Queues, Secrets map[string]string

	template *template.Template
}

// All creates tables, queues and secrets, concurrently. Their names are the logical IDs.
func All(ctx context.Context, c Clients, tpl *template.Template) (*Resources, error) {
	r := &Resources{template: tpl}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		r.Tables, err = Tables(ctx, c.DynamoDB, tpl, "")
		return err
	})
	group.Go(func() (err error) {
		r.Queues, err = Queues(ctx, c.SQS, tpl, "")
		return err
	})
	group.Go(func() (err error) {
		r.Secrets, err = Secrets(ctx, c.Secrets, tpl)
		return err
	})
	return r, group.Wait()
}

// Environments returns each function's variables by its logical ID: those from the template,
// and its name.
func (r *Resources) Environments() (map[string]map[string]string, error) {
	all := make(map[string]map[string]string, len(r.template.Functions))
	for _, f := range r.template.Functions {
		all[f.ID] = map[string]string{"AWS_LAMBDA_FUNCTION_NAME": f.Name}
		for name, text := range f.Environment {
			value, err := text.Resolve(r.Resolve)
			if err != nil {
				return nil, fmt.Errorf("function %s: %s: %w", f.Name, name, err)
			}
			all[f.ID][name] = value
		}
	}
	return all, nil
}

// Resolve returns the local value of !Ref ID or !GetAtt ID.Attribute.
func (r *Resources) Resolve(name string) (string, error) {
	values := map[string]string{}
	for id, table := range r.Tables {
		values[id], values[id+".Arn"] = table, template.ARN("dynamodb", "table/"+table)
	}
	for id, url := range r.Queues {
		values[id], values[id+".QueueUrl"] = url, url
		values[id+".Arn"], values[id+".QueueName"] = template.ARN("sqs", id), id
	}
	for id, secret := range r.Secrets {
		values[id], values[id+".Id"] = secret, secret
	}
	for _, set := range r.template.ConfigurationSets {
		values[set.ID] = set.Name
	}
	for _, identity := range r.template.EmailIdentities {
		values[identity.ID] = identity.Name
	}
	for _, f := range r.template.Functions {
		values[f.ID], values[f.ID+".Arn"] = f.Name, template.ARN("lambda", "function:"+f.Name)
	}
	if value, ok := values[name]; ok {
		return value, nil
	}
	return "", fmt.Errorf("%s has no local value", name)
}

// Secrets creates every secret of tpl, with a random value if the template asks for one,
// and returns their ARNs by logical ID, which is their name. An existing secret keeps its value.
func Secrets(ctx context.Context, client *secretsmanager.Client, tpl *template.Template) (map[string]string, error) {
	arns := make(map[string]string, len(tpl.Secrets))
	for _, s := range tpl.Secrets {
		arn, err := secret(ctx, client, s)
		if err != nil {
			return nil, fmt.Errorf("create secret %s: %w", s.ID, err)
		}
		arns[s.ID] = arn
	}
	return arns, nil
}

func secret(ctx context.Context, client *secretsmanager.Client, s template.Secret) (string, error) {
	text, err := secretText(s)
	if err != nil {
		return "", err
	}
	created, err := client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &s.ID, SecretString: &text})
	if err == nil {
		return aws.ToString(created.ARN), nil
	} else if _, ok := errors.AsType[*secrettypes.ResourceExistsException](err); !ok {
		return "", err
	}
	found, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &s.ID})
	if err != nil {
		return "", err
	}
	return aws.ToString(found.ARN), nil
}

// secretText is CloudFormation's GenerateSecretString.
func secretText(s template.Secret) (string, error) {
	g := s.Generate
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
		url, err := Queue(ctx, client, tpl, q.ID, prefix)
		if err != nil {
			return nil, err
		}
		urls[q.ID] = url
	}
	return urls, nil
}

// Queue creates one queue of tpl, after its dead-letter queue, and returns its address. An
// existing queue takes the template's values: unlike tables, queues can be changed in place.
func Queue(ctx context.Context, client *sqs.Client, tpl *template.Template, id, prefix string) (string, error) {
	q, ok := tpl.Queue(id)
	if !ok {
		return "", fmt.Errorf("the template has no queue %s", id)
	}
	attributes := map[string]string{
		"VisibilityTimeout":      seconds(q.VisibilityTimeout),
		"MessageRetentionPeriod": seconds(q.Retention),
		"DelaySeconds":           seconds(q.Delay),
	}
	if q.DeadLetters != "" {
		if _, err := Queue(ctx, client, tpl, q.DeadLetters, prefix); err != nil {
			return "", err
		}
		attributes["RedrivePolicy"] = fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`,
			template.ARN("sqs", prefix+q.DeadLetters), q.MaxReceives)
	}
	name := prefix + id
	created, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err == nil {
		return aws.ToString(created.QueueUrl), nil
	}
	if _, ok := errors.AsType[*queuetypes.QueueNameExists](err); !ok {
		return "", fmt.Errorf("create queue %s: %w", name, err)
	}
	found, err := client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: &name})
	if err != nil {
		return "", fmt.Errorf("find queue %s: %w", name, err)
	}
	in := &sqs.SetQueueAttributesInput{QueueUrl: found.QueueUrl, Attributes: attributes}
	if _, err := client.SetQueueAttributes(ctx, in); err != nil {
		return "", fmt.Errorf("change queue %s: %w", name, err)
	}
	return aws.ToString(found.QueueUrl), nil
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }
