package provision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"aviso/localstack/template"
)

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
	} else if _, ok := errors.AsType[*types.QueueNameExists](err); !ok {
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
