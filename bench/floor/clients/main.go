// Command clients is the least that a function which reads DynamoDB can be: the
// AWS clients that the functions behind the API have, made as they make them, and
// one GetItem for each invocation. What a function of the service costs above it
// is the service's own.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/awscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	cfg, err := awscall.Load(os.Getenv)
	if err != nil {
		return err
	}
	db, secrets := dynamodb.NewFromConfig(cfg), secretsmanager.NewFromConfig(cfg)
	// What every function behind the API does at its start, too.
	id := os.Getenv("SEALING_SECRET")
	if _, err := secrets.GetSecretValue(context.Background(), &secretsmanager.GetSecretValueInput{SecretId: &id}); err != nil {
		return err
	}
	table := os.Getenv("IDENTITY_TABLE")
	lambda.Start(func(ctx context.Context, _ events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "TERMS"}, "sk": &types.AttributeValueMemberS{Value: "TERMS"},
		}})
		if err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
		return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: fmt.Sprint(len(out.Item))}, nil
	})
	return nil
}
