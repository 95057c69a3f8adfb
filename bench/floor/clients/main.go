// Command clients is the minimal function that reads DynamoDB. It creates the same AWS
// clients as the functions behind the API, in the same way, and each invocation makes one
// GetItem. What a function costs above this floor is the service's own.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/aws/config"
)

func main() {
	cfg, err := config.LoadAWS(context.Background(), os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	db, secrets := dynamodb.NewFromConfig(cfg), secretsmanager.NewFromConfig(cfg)
	// Every function behind the API does this too when it starts.
	id := os.Getenv("SEALING_SECRET")
	_, err = secrets.GetSecretValue(context.Background(), &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		log.Fatal(err)
	}
	table := os.Getenv("IDENTITY_TABLE")
	lambda.Start(func(ctx context.Context, _ events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "TERMS"}, "sk": &types.AttributeValueMemberS{Value: "TERMS"},
		}})
		if err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
		return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: strconv.Itoa(len(out.Item))}, nil
	})
}
