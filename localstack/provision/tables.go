// Package provision creates the template's tables, queues and secrets in emulators, as
// CloudFormation does on AWS. It can run repeatedly: existing resources that match the
// template keep their data.
package provision

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"aviso/localstack/template"
)

// Tables creates every table of tpl and returns their names by logical ID. A name is
// prefix and the logical ID.
func Tables(
	ctx context.Context, client *dynamodb.Client, tpl *template.Template, prefix string,
) (map[string]string, error) {
	names := make(map[string]string, len(tpl.Tables))
	group, ctx := errgroup.WithContext(ctx)
	for _, t := range tpl.Tables {
		names[t.ID] = prefix + t.ID
		group.Go(func() error { return Table(ctx, client, t, prefix+t.ID) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return names, nil
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

// definition returns the request that creates a table, without what emulators lack:
// deletion protection, encryption and point-in-time recovery.
func definition(t template.Table, name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   schema(t.Key),
	}
	for attribute, kind := range t.Attributes {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeType(kind),
		})
	}
	for _, i := range t.LocalIndexes {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: aws.String(i.Name), KeySchema: schema(i.Key), Projection: projection(i),
		})
	}
	for _, i := range t.GlobalIndexes {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(i.Name), KeySchema: schema(i.Key), Projection: projection(i),
		})
	}
	if t.Stream != "" {
		in.StreamSpecification = &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewType(t.Stream),
		}
	}
	return in
}

func schema(k template.Key) []types.KeySchemaElement {
	out := []types.KeySchemaElement{{AttributeName: aws.String(k.Hash), KeyType: types.KeyTypeHash}}
	if k.Range != "" {
		out = append(out, types.KeySchemaElement{AttributeName: aws.String(k.Range), KeyType: types.KeyTypeRange})
	}
	return out
}

func projection(i template.Index) *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionType(i.Projection), NonKeyAttributes: i.NonKey}
}

// compare checks that the existing table matches the template.
func compare(ctx context.Context, client *dynamodb.Client, t template.Table, name string) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return fmt.Errorf("describe table %s: %w", name, err)
	}
	// A description has the members of the request that created the table, and more.
	var existing dynamodb.CreateTableInput
	text, err := json.Marshal(out.Table)
	if err := errors.Join(err, json.Unmarshal(text, &existing)); err != nil {
		return fmt.Errorf("read the description of table %s: %w", name, err)
	}
	want, got := describe(definition(t, name)), describe(&existing)
	var differences []string
	for _, part := range parts {
		if want[part] != got[part] {
			differences = append(differences, fmt.Sprintf("%s: %s, but in the template %s",
				part, cmp.Or(got[part], "none"), cmp.Or(want[part], "none")))
		}
	}
	if len(differences) > 0 {
		return fmt.Errorf("table %s differs from the template (%s); remove the data folder to start from scratch",
			name, strings.Join(differences, "; "))
	}
	return nil
}

// parts are the parts of tables that are compared, in the order of the report.
var parts = []string{"key", "key attributes", "local indexes", "global indexes", "stream"}

// describe returns the parts of a table by the names in parts.
func describe(in *dynamodb.CreateTableInput) map[string]string {
	var kinds, local, global []string
	for _, a := range in.AttributeDefinitions {
		kinds = append(kinds, fmt.Sprintf("%s %s", aws.ToString(a.AttributeName), a.AttributeType))
	}
	for _, i := range in.LocalSecondaryIndexes {
		local = append(local, indexText(i.IndexName, i.KeySchema, i.Projection))
	}
	for _, i := range in.GlobalSecondaryIndexes {
		global = append(global, indexText(i.IndexName, i.KeySchema, i.Projection))
	}
	for _, list := range [][]string{kinds, local, global} {
		slices.Sort(list)
	}
	stream := ""
	if in.StreamSpecification != nil && aws.ToBool(in.StreamSpecification.StreamEnabled) {
		stream = string(in.StreamSpecification.StreamViewType)
	}
	return map[string]string{
		"key":            keyText(in.KeySchema),
		"key attributes": strings.Join(kinds, ", "),
		"local indexes":  strings.Join(local, ", "),
		"global indexes": strings.Join(global, ", "),
		"stream":         stream,
	}
}

func keyText(key []types.KeySchemaElement) string {
	var names []string
	for _, k := range key {
		names = append(names, aws.ToString(k.AttributeName))
	}
	return strings.Join(names, "+")
}

func indexText(name *string, key []types.KeySchemaElement, p *types.Projection) string {
	text := aws.ToString(name) + "(" + keyText(key) + ")"
	if p != nil {
		nonKey := slices.Sorted(slices.Values(p.NonKeyAttributes))
		text += " " + strings.Join(append([]string{string(p.ProjectionType)}, nonKey...), " ")
	}
	return text
}
