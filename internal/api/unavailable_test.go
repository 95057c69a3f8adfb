package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"

	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
)

// printed returns the text or the bytes of an attribute.
func printed(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return string(v.Value)
	}
	return fmt.Sprint(v)
}

// refusing returns a client whose every call fails with err, as DynamoDB reports it.
// Emulators do not throttle, and do not report transaction conflicts.
func refusing(err error) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", Retryer: aws.NopRetryer{},
		APIOptions: []func(*middleware.Stack) error{config.CountCalls, func(stack *middleware.Stack) error {
			return stack.Finalize.Add(middleware.FinalizeMiddlewareFunc(
				"Refuse",
				func(context.Context, middleware.FinalizeInput,
					middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
					return middleware.FinalizeOutput{}, middleware.Metadata{}, err
				},
			), middleware.After)
		}},
	})
}

func cancelled(codes ...string) error {
	e := &types.TransactionCanceledException{}
	for _, code := range codes {
		e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: &code})
	}
	return e
}

func TestBusyStore(t *testing.T) {
	t.Parallel()
	readThing := get("/test/v1/read")
	get := func(db *dynamodb.Client) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := dynamo.NewTable(db, "t").Row(ctx, dynamo.Key{PK: "pk", SK: "sk"})
			return err
		}
	}
	transact := func(db *dynamodb.Client) func(context.Context) error {
		return func(ctx context.Context) error {
			var x dynamo.Transaction
			x.Delete(dynamo.NewTable(db, "t"), dynamo.Key{PK: "a", SK: "b"})
			return x.Commit(ctx)
		}
	}

	for name, read := range map[string]func(context.Context) error{
		"throttled":                       get(refusing(&types.ThrottlingException{})),
		"over its throughput":             get(refusing(&types.ProvisionedThroughputExceededException{})),
		"over the account's limit":        get(refusing(&types.RequestLimitExceeded{})),
		"failing":                         get(refusing(&types.InternalServerError{})),
		"crossed by a transaction":        get(refusing(&types.TransactionConflictException{})),
		"out of time":                     get(refusing(context.DeadlineExceeded)),
		"a transaction crossed by one":    transact(refusing(cancelled("None", "TransactionConflict"))),
		"a transaction throttled":         transact(refusing(cancelled("ThrottlingError", "None"))),
		"a transaction over throughput":   transact(refusing(cancelled("ProvisionedThroughputExceeded"))),
		"a transaction already under way": transact(refusing(&types.TransactionInProgressException{})),
	} {
		t.Run(name+" is a matter of waiting", func(t *testing.T) {
			s := newService(t)
			s.ops.read = read
			_, res := s.refused(readThing, http.StatusServiceUnavailable, "temporarily_unavailable")
			assert.Equal(t, "2", res.header.Get("Retry-After"))
			line := s.log.last(t)
			assert.Contains(t, line["error"], "read thing")
			want := 1
			if name == "a transaction crossed by one" {
				want = 6 // it is tried again at once
			}
			assert.EqualValues(t, want, line["AwsCalls"])
		})
	}

	for name, read := range map[string]func(context.Context) error{
		"a missing table":                   get(refusing(&types.ResourceNotFoundException{})),
		"a transaction that is wrong":       transact(refusing(cancelled("ValidationError"))),
		"a condition that nobody expected":  transact(refusing(cancelled("ConditionalCheckFailed", "TransactionConflict"))),
		"a plain timeout of something else": func(context.Context) error { return context.DeadlineExceeded },
	} {
		t.Run(name+" is our failure", func(t *testing.T) {
			s := newService(t)
			s.ops.read = read
			_, res := s.refused(readThing, http.StatusInternalServerError, "internal_error")
			assert.Empty(t, res.header.Get("Retry-After"))
		})
	}

	t.Run("also of a request with an idempotency key", func(t *testing.T) {
		db := refusing(&types.ThrottlingException{})
		s := newService(t, answersIn(db))
		table := dynamo.NewTable(db, "things")
		s.ops.store = &table
		s.refused(keyed("k", "a"), http.StatusServiceUnavailable, "temporarily_unavailable")
	})
}
