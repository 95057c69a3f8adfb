// Command clients is the minimal function that reads DynamoDB. It creates the same AWS
// clients as the functions behind the API, in the same way. Each invocation makes one
// GetItem, or as many in parallel as the query parameter calls says. With the parameter items,
// a transaction that writes as many rows follows. The cost of a function above this floor is the
// service's own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"golang.org/x/sync/errgroup"

	"aviso/internal/awsclient"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	cfg, err := awsclient.Load(os.Getenv)
	if err != nil {
		return err
	}
	db, secrets := dynamodb.NewFromConfig(cfg), secretsmanager.NewFromConfig(cfg)
	// Every function behind the API does this too when it starts.
	id := os.Getenv("SEALING_SECRET")
	_, err = secrets.GetSecretValue(context.Background(), &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return err
	}
	table := os.Getenv("IDENTITY_TABLE")
	get := func(ctx context.Context) (attributes int, err error) {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "TERMS"}, "sk": &types.AttributeValueMemberS{Value: "TERMS"},
		}})
		if err != nil {
			return 0, err
		}
		return len(out.Item), nil
	}
	put := func(ctx context.Context, items int) error {
		var in dynamodb.TransactWriteItemsInput
		for i := range items {
			in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{
				TableName: &table, Item: map[string]types.AttributeValue{
					"pk": &types.AttributeValueMemberS{Value: "FLOOR"}, "sk": &types.AttributeValueMemberS{Value: strconv.Itoa(i)},
				},
			}})
		}
		_, err := db.TransactWriteItems(ctx, &in)
		return err
	}
	lambda.Start(func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		calls, errCalls := number(e, "calls")
		items, errItems := number(e, "items")
		if err := errors.Join(errCalls, errItems); err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
		var others errgroup.Group
		for range calls - 1 {
			others.Go(func() error {
				_, err := get(ctx)
				return err
			})
		}
		attributes, err := 0, error(nil)
		if calls > 0 {
			attributes, err = get(ctx)
		}
		err = errors.Join(err, others.Wait())
		if err == nil && items > 0 {
			err = put(ctx, items)
		}
		if err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
		return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: strconv.Itoa(attributes)}, nil
	})
	return nil
}

func number(e events.APIGatewayV2HTTPRequest, parameter string) (int, error) {
	n, err := strconv.Atoi(e.QueryStringParameters[parameter])
	if err != nil {
		return 0, fmt.Errorf("%s: %w", parameter, err)
	}
	return n, nil
}
