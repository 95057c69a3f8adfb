package host

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"aviso/localstack/template"
)

// streamRecord is a record as Lambda gives it to a function: DynamoDB's own JSON
// within the members of an event.
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
		converted, err := convertMap(image)
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

func convertMap(m map[string]types.AttributeValue) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for name, value := range m {
		converted, err := convertValue(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = converted
	}
	return out, nil
}

func convertValue(value types.AttributeValue) (map[string]any, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}, nil
	case *types.AttributeValueMemberN:
		return map[string]any{"N": v.Value}, nil
	case *types.AttributeValueMemberB:
		return map[string]any{"B": base64.StdEncoding.EncodeToString(v.Value)}, nil
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}, nil
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}, nil
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": anys(v.Value, func(s string) any { return s })}, nil
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": anys(v.Value, func(s string) any { return s })}, nil
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": anys(v.Value, func(b []byte) any { return base64.StdEncoding.EncodeToString(b) })}, nil
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, element := range v.Value {
			converted, err := convertValue(element)
			if err != nil {
				return nil, err
			}
			list[i] = converted
		}
		return map[string]any{"L": list}, nil
	case *types.AttributeValueMemberM:
		inner, err := convertMap(v.Value)
		if err != nil {
			return nil, err
		}
		return map[string]any{"M": inner}, nil
	default:
		return nil, fmt.Errorf("attribute value of type %T", value)
	}
}

// anys makes the list that encoding/json would give, which the filters expect.
func anys[T any](list []T, convert func(T) any) []any {
	out := make([]any, len(list))
	for i, element := range list {
		out[i] = convert(element)
	}
	return out
}
