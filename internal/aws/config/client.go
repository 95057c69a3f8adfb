package config

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"aviso/internal/observe"
)

type wrapKey struct{}

// WithHTTPClient returns a context in which LoadAWS wraps the HTTP client. The local stack uses it to check the
// permissions of each function.
func WithHTTPClient(ctx context.Context, wrap func(aws.HTTPClient) aws.HTTPClient) context.Context {
	return context.WithValue(ctx, wrapKey{}, wrap)
}

// LoadAWS returns the AWS configuration of a Lambda function: the region and credentials in the environment, and the
// emulator endpoints in AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_<SERVICE>, if set. The SDK's own loader knows many more
// sources, but Lambda has none of them, and the loader makes every binary 1.7 MB larger. A call must connect within 1
// s and complete within 5 s, and is tried three times.
func LoadAWS(ctx context.Context, getenv func(string) string) (aws.Config, error) {
	limits := &throttles{now: time.Now} //nolint:forbidigo // the time of a metric, whatever a user's clock says
	cfg := aws.Config{
		Region: getenv("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(
			getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN")),
		HTTPClient: client(),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.Backoff = 3, retry.BackoffDelayerFunc(pause)
				// DynamoDB refuses a single write while a transaction is using its row.
				crossed := map[string]struct{}{"TransactionConflictException": {}}
				o.Retryables = append(o.Retryables, retry.RetryableErrorCode{Codes: crossed})
			})
		},
		APIOptions:    []func(*middleware.Stack) error{CountCalls, limits.watch},
		ConfigSources: []any{endpoints(getenv)},
	}
	if cfg.Region == "" || getenv("AWS_ACCESS_KEY_ID") == "" {
		return aws.Config{}, errors.New("AWS_REGION and AWS_ACCESS_KEY_ID are not set, which Lambda does")
	}
	if wrap, ok := ctx.Value(wrapKey{}).(func(aws.HTTPClient) aws.HTTPClient); ok {
		cfg.HTTPClient = wrap(cfg.HTTPClient)
	}
	if all := getenv("AWS_ENDPOINT_URL"); all != "" {
		cfg.BaseEndpoint = &all
	}
	return cfg, nil
}

// pause returns how long to wait before a retry. After throttling, the wait is random below one second. Otherwise it
// is random below a bound that doubles with each attempt. The SDK's own backoff has no jitter if its bound is one
// second.
func pause(attempt int, err error) (time.Duration, error) {
	if retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err) == aws.TrueTernary {
		return rand.N(time.Second), nil //nolint:gosec // no secret
	}
	return rand.N(min(50*time.Millisecond<<min(attempt, 5), time.Second)), nil //nolint:gosec // no secret
}

// endpoints is the environment that names the emulator of each AWS service.
type endpoints func(name string) string

// GetServiceBaseEndpoint implements the SDK's configuration source for endpoints, which takes precedence over
// BaseEndpoint. sdkID is the SDK's name of a service, such as "Secrets Manager".
func (e endpoints) GetServiceBaseEndpoint(_ context.Context, sdkID string) (string, bool, error) {
	name := strings.ToUpper(strings.ReplaceAll(sdkID, " ", "_"))
	url := e("AWS_ENDPOINT_URL_" + name)
	return url, url != "", nil
}

// client keeps enough idle connections for the calls that one invocation makes
// concurrently; with the default, every burst would reconnect. It is the SDK's own
// client type, because only that accepts a custom certificate bundle.
func client() *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().
		WithTimeout(5 * time.Second).
		WithDialerOptions(func(d *net.Dialer) { d.Timeout, d.KeepAlive = time.Second, 30*time.Second }).
		WithTransportOptions(func(t *http.Transport) {
			t.TLSHandshakeTimeout, t.ResponseHeaderTimeout = 2*time.Second, 5*time.Second
			t.MaxIdleConnsPerHost = 32
		})
}

// CountCalls is the SDK middleware that counts the calls of a trace.
func CountCalls(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("CountCalls",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
			middleware.InitializeOutput, middleware.Metadata, error,
		) {
			out, about, err := next.HandleInitialize(ctx, in)
			attempts, _ := retry.GetAttemptResults(about)
			observe.CountCall(ctx, max(len(attempts.Results)-1, 0))
			return out, about, err
		}), middleware.After)
}

// Unavailable reports whether an AWS call failed for a temporary reason: throttling,
// a conflicting write, a timeout, or a failure of the AWS service.
func Unavailable(err error) bool {
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return slices.ContainsFunc(cancelled.CancellationReasons, temporary)
	}
	var api smithy.APIError
	if errors.As(err, &api) &&
		(api.ErrorCode() == "TransactionConflictException" || api.ErrorFault() == smithy.FaultServer) {
		return true
	}
	if _, ok := errors.AsType[*smithy.OperationError](err); !ok { // a call to a bank, for example
		return false
	}
	return errors.Is(err, context.DeadlineExceeded) || isNetwork(err) ||
		retry.IsErrorRetryables(retry.DefaultRetryables).IsErrorRetryable(err) == aws.TrueTernary
}

// temporary reports whether an action of a transaction was refused for a temporary
// reason.
func temporary(r types.CancellationReason) bool {
	code := aws.ToString(r.Code)
	return code == "TransactionConflict" || isLimit(code)
}

func isNetwork(err error) bool {
	var n net.Error
	return errors.As(err, &n)
}
