package config

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"aviso/internal/observe"
)

// throttles logs calls that DynamoDB refuses because of a limit of a table, an index or the account. A throttled
// index also refuses the writes to its table, so it shows here too.
type throttles struct {
	now    func() time.Time
	mu     sync.Mutex
	count  int
	logged time.Time
}

// between is the minimum time between two lines. A throttled instance can be refused hundreds of times a second.
const between = time.Second

// watch is SDK middleware that sees every attempt.
func (t *throttles) watch(stack *middleware.Stack) error {
	return stack.Finalize.Add(middleware.FinalizeMiddlewareFunc("LogThrottles",
		func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (
			middleware.FinalizeOutput, middleware.Metadata, error,
		) {
			out, about, err := next.HandleFinalize(ctx, in)
			if awsmiddleware.GetServiceID(ctx) == dynamodb.ServiceID && (IsThrottled(err) || isPartial(out.Result)) {
				t.note(ctx, err)
			}
			return out, about, err
		}), middleware.After)
}

func (t *throttles) note(ctx context.Context, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	now := t.now()
	if now.Sub(t.logged) < between {
		return
	}
	resource, reason := refusedBy(err)
	slog.LogAttrs(ctx, slog.LevelWarn, "throttled", slog.Int(string(observe.Throttles), t.count),
		slog.String("operation", awsmiddleware.GetOperationName(ctx)),
		slog.String("resource", resource), slog.String("reason", reason), observe.EMF(now, observe.Throttles))
	t.count, t.logged = 0, now
}

// IsThrottled reports whether DynamoDB refused a call because of a limit of a table, an index or the account.
func IsThrottled(err error) bool {
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return slices.ContainsFunc(cancelled.CancellationReasons, func(r types.CancellationReason) bool {
			return isLimit(aws.ToString(r.Code))
		})
	}
	var api smithy.APIError
	return errors.As(err, &api) && isLimit(api.ErrorCode())
}

// isLimit reports whether the code of an error, or of a refused action of a transaction, means that a limit was
// reached.
func isLimit(code string) bool {
	switch code {
	case "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
		"ThrottlingError", "ProvisionedThroughputExceeded":
		return true
	}
	return false
}

// isPartial reports whether DynamoDB processed only part of a batch.
func isPartial(result any) bool {
	switch r := result.(type) {
	case *dynamodb.BatchWriteItemOutput:
		return len(r.UnprocessedItems) > 0
	case *dynamodb.BatchGetItemOutput:
		return len(r.UnprocessedKeys) > 0
	}
	return false
}

// refusedBy returns the throttled table or index and the limit that was reached, if DynamoDB names them.
func refusedBy(err error) (resource, reason string) {
	var reasons []types.ThrottlingReason
	if e, ok := errors.AsType[*types.ThrottlingException](err); ok {
		reasons = e.ThrottlingReasons
	}
	if e, ok := errors.AsType[*types.ProvisionedThroughputExceededException](err); ok {
		reasons = e.ThrottlingReasons
	}
	if e, ok := errors.AsType[*types.RequestLimitExceeded](err); ok {
		reasons = e.ThrottlingReasons
	}
	if len(reasons) == 0 {
		return "", ""
	}
	return aws.ToString(reasons[0].Resource), aws.ToString(reasons[0].Reason)
}
