package bootstrap

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-lambda-go/lambda"
)

// Either handles events of API Gateway and of SQS. Only SQS events have records.
type Either struct{ Requests, Messages lambda.Handler }

// Invoke implements lambda.Handler.
func (e Either) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var shape struct {
		Records []json.RawMessage `json:"Records"`
	}
	if err := json.Unmarshal(payload, &shape); err == nil && shape.Records != nil {
		return e.Messages.Invoke(ctx, payload)
	}
	return e.Requests.Invoke(ctx, payload)
}
