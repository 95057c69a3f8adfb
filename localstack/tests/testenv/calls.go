package testenv

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
)

// Around makes do answer each call to DynamoDB. next makes the call.
func Around(do func(call any, next func() (any, error)) (any, error)) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, around(do)) }
}

// AroundSQS makes do answer each call to SQS. next makes the call.
func AroundSQS(do func(call any, next func() (any, error)) (any, error)) func(*sqs.Options) {
	return func(o *sqs.Options) { o.APIOptions = append(o.APIOptions, around(do)) }
}

func around(do func(call any, next func() (any, error)) (any, error)) func(*middleware.Stack) error {
	id := uuid.NewString()
	return func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc(id, func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (out middleware.InitializeOutput, metadata middleware.Metadata, err error) {
			if err := ctx.Err(); err != nil { // as without do
				return out, metadata, err
			}
			out.Result, err = do(in.Parameters, func() (any, error) {
				made, data, err := next.HandleInitialize(ctx, in)
				metadata = data
				return made.Result, err
			})
			return out, metadata, err
		}), middleware.Before)
	}
}

// BeforeWrite calls do before each transaction. If do returns an error, the transaction fails with it.
func BeforeWrite(do func() error) func(*dynamodb.Options) {
	return Around(func(call any, next func() (any, error)) (any, error) {
		if _, ok := call.(*dynamodb.TransactWriteItemsInput); ok {
			if err := do(); err != nil {
				return nil, err
			}
		}
		return next()
	})
}

// Spent counts calls to DynamoDB, and their units as DynamoDB reports them.
type Spent struct {
	mu          sync.Mutex
	Calls       map[string]int
	Read, Write float64
}

// Install counts the calls of a client.
func (s *Spent) Install(o *dynamodb.Options) {
	Around(func(call any, next func() (any, error)) (any, error) {
		in := reflect.ValueOf(call).Elem()
		if wanted := in.FieldByName("ReturnConsumedCapacity"); wanted.IsValid() {
			wanted.SetString(string(types.ReturnConsumedCapacityTotal))
		}
		out, err := next()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.Calls == nil {
			s.Calls = map[string]int{}
		}
		name := strings.TrimSuffix(in.Type().Name(), "Input")
		s.Calls[name]++
		if err != nil {
			return out, err
		}
		var used []types.ConsumedCapacity
		switch all := reflect.ValueOf(out).Elem().FieldByName("ConsumedCapacity"); {
		case !all.IsValid():
		case all.Kind() == reflect.Slice:
			used, _ = reflect.TypeAssert[[]types.ConsumedCapacity](all)
		case !all.IsNil():
			used = append(used, all.Elem().Interface().(types.ConsumedCapacity))
		}
		for _, c := range used {
			if strings.Contains(name, "Write") || strings.Contains(name, "Update") {
				s.Write += *c.CapacityUnits
			} else {
				s.Read += *c.CapacityUnits
			}
		}
		return out, err
	})(o)
}

// Reset begins to count again.
func (s *Spent) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Calls, s.Read, s.Write = nil, 0, 0
}

// All returns the number of all calls.
func (s *Spent) All() (calls int) {
	for _, n := range s.Calls {
		calls += n
	}
	return calls
}

// Units returns the units of all calls.
func (s *Spent) Units() float64 { return s.Read + s.Write }

// String implements fmt.Stringer.
func (s *Spent) String() string {
	return fmt.Sprintf("%d calls %v, %.1f RRU, %.1f WRU", s.All(), s.Calls, s.Read, s.Write)
}
