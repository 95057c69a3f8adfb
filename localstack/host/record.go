package host

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"aviso/localstack/template"
)

// streamRecord is a record as Lambda passes it to a function: DynamoDB's JSON in the
// members of an event.
type streamRecord struct {
	sequence string
	created  time.Time
	event    map[string]any
}

func convertRecord(r types.Record, stream string) (streamRecord, error) {
	change := map[string]any{
		"SequenceNumber": aws.ToString(r.Dynamodb.SequenceNumber),
		"SizeBytes":      float64(aws.ToInt64(r.Dynamodb.SizeBytes)),
		"StreamViewType": string(r.Dynamodb.StreamViewType),
	}
	created := aws.ToTime(r.Dynamodb.ApproximateCreationDateTime)
	change["ApproximateCreationDateTime"] = float64(created.Unix())
	for name, image := range map[string]map[string]types.AttributeValue{
		"Keys": r.Dynamodb.Keys, "NewImage": r.Dynamodb.NewImage, "OldImage": r.Dynamodb.OldImage,
	} {
		if len(image) == 0 {
			continue
		}
		converted, err := convertImage(image)
		if err != nil {
			return streamRecord{}, fmt.Errorf("%s: %w", name, err)
		}
		change[name] = converted
	}
	event := map[string]any{
		"eventID":        aws.ToString(r.EventID),
		"eventName":      string(r.EventName),
		"eventVersion":   aws.ToString(r.EventVersion),
		"eventSource":    "aws:dynamodb",
		"awsRegion":      template.Region,
		"eventSourceARN": stream,
		"dynamodb":       change,
	}
	if r.UserIdentity != nil {
		event["userIdentity"] = map[string]any{
			"type": aws.ToString(r.UserIdentity.Type), "principalId": aws.ToString(r.UserIdentity.PrincipalId),
		}
	}
	return streamRecord{sequence: aws.ToString(r.Dynamodb.SequenceNumber), created: created, event: event}, nil
}

// convertImage returns DynamoDB's JSON as decoded by encoding/json, for the filters.
func convertImage(image map[string]types.AttributeValue) (converted map[string]any, err error) {
	attributes, err := attributevalue.FromDynamoDBStreamsMap(image)
	if err != nil {
		return nil, err
	}
	text, err := attributevalue.MarshalMapJSON(attributes)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &converted)
	return converted, err
}
