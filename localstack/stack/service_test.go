package stack_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	mailtypes "github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app"
	"aviso/internal/aws/config"
)

// handler calls f, which is as lambda.NewHandler wants it. Unlike a handler of that, it can be invoked
// concurrently: that one returns a buffer that the next invocation overwrites.
type handler struct{ f any }

// Invoke implements lambda.Handler.
func (h handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	return lambda.NewHandler(h.f).Invoke(ctx, payload)
}

// service is the code for testdata/template.yaml. Like the real functions, it reads
// everything from env.
func service() map[string]app.Constructor {
	return map[string]app.Constructor{
		"web": web, "relay": relay, "work": work, "mail": mail, "feedback": feedback,
	}
}

func put(ctx context.Context, client *dynamodb.Client, table, key string) error {
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item(key)})
	return err
}

func item(key string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: key}}
}

func web(ctx context.Context, env config.Env) (lambda.Handler, error) {
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return nil, err
	}
	tables, secrets := dynamodb.NewFromConfig(cfg), secretsmanager.NewFromConfig(cfg)
	return handler{func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		what, key, _ := strings.Cut(e.PathParameters["proxy"], "/")
		answer := events.APIGatewayV2HTTPResponse{StatusCode: http.StatusOK}
		switch what {
		case "in":
			return answer, put(ctx, tables, env("IN"), key)
		case "out":
			out, err := tables.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(env("OUT")), Key: item(key)})
			if err == nil && len(out.Item) == 0 {
				answer.StatusCode = http.StatusNotFound
			}
			return answer, err
		case "forbidden":
			_, err := tables.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(env("IN")), Key: item(key)})
			return answer, err
		case "secret":
			out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: aws.String(env("SECRET"))})
			if err == nil {
				answer.Body = *out.SecretString
			}
			return answer, err
		default:
			answer.Body = env(key)
			return answer, nil
		}
	}}, nil
}

func relay(ctx context.Context, env config.Env) (lambda.Handler, error) {
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return nil, err
	}
	queues := sqs.NewFromConfig(cfg)
	return handler{func(ctx context.Context, e events.DynamoDBEvent) error {
		for _, r := range e.Records {
			_, err := queues.SendMessage(ctx, &sqs.SendMessageInput{
				QueueUrl: aws.String(env("QUEUE")), MessageBody: aws.String(r.Change.Keys["pk"].String()),
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

func work(ctx context.Context, env config.Env) (lambda.Handler, error) {
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return nil, err
	}
	tables := dynamodb.NewFromConfig(cfg)
	return handler{func(ctx context.Context, e events.SQSEvent) error {
		for _, m := range e.Records {
			if err := put(ctx, tables, env("OUT"), m.Body); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

type order struct{ From, To, Key string }

func mail(ctx context.Context, env config.Env) (lambda.Handler, error) {
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return nil, err
	}
	client := sesv2.NewFromConfig(cfg)
	return handler{func(ctx context.Context, o order) (string, error) {
		out, err := client.SendEmail(ctx, &sesv2.SendEmailInput{
			ConfigurationSetName: aws.String(env("MAIL_SET")),
			EmailTags:            []mailtypes.MessageTag{{Name: aws.String("key"), Value: &o.Key}},
			Destination:          &mailtypes.Destination{ToAddresses: []string{o.To}},
			Content: &mailtypes.EmailContent{Raw: &mailtypes.RawMessage{
				Data: []byte("From: " + cmp.Or(o.From, env("SENDER")) + "\r\nSubject: A letter\r\n\r\nHello\r\n"),
			}},
		})
		if err != nil {
			return "", err
		}
		return *out.MessageId, nil
	}}, nil
}

type mailEvent struct {
	Detail struct {
		EventType string
		Mail      struct{ Tags map[string][]string }
	}
}

// feedback stores a mail event under the mail's key and the event's type.
func feedback(ctx context.Context, env config.Env) (lambda.Handler, error) {
	cfg, err := config.LoadAWS(ctx, env)
	if err != nil {
		return nil, err
	}
	tables := dynamodb.NewFromConfig(cfg)
	return handler{func(ctx context.Context, e mailEvent) error {
		return put(ctx, tables, env("OUT"), e.Detail.Mail.Tags["key"][0]+e.Detail.EventType)
	}}, nil
}
