package config_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/observe"
	"aviso/localstack/tests/metrictest"
)

// answering returns the address of a server that sends these responses in turn, then repeats the last.
func answering(t *testing.T, status int, bodies ...string) (address string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := bodies[min(int(calls.Add(1)), len(bodies))-1]
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if body != "{}" {
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// client returns a DynamoDB client for the address that does not wait between attempts.
func client(address string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:           "eu-central-1",
		BaseEndpoint:     &address,
		Credentials:      credentials.NewStaticCredentialsProvider("a", "b", ""),
		RetryMaxAttempts: 1,
		APIOptions:       []func(*middleware.Stack) error{config.CountCalls},
	})
}

func get(ctx context.Context, db *dynamodb.Client) error {
	_, err := db.GetItem(
		ctx,
		&dynamodb.GetItemInput{
			TableName: aws.String("t"),
			Key:       map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}},
		},
	)
	if err != nil {
		return fmt.Errorf("get item: %w", err)
	}
	return nil
}

func TestUnavailable(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		status int
		body   string
		want   bool
	}{
		"throttling":               {400, `{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}`, true},
		"throughput":               {400, `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}`, true},
		"the limit of the account": {400, `{"__type":"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"}`, true},
		"a conflict":               {400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException"}`, true},
		"a transaction's conflict": {400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict"}]}`, true},
		"a transaction throttled":  {400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"ThrottlingError"}]}`, true},
		"a failure of the service": {500, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`, true},
		"a proxy in between":       {503, "<html>busy</html>", true},
		"a refused condition":      {400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"ConditionalCheckFailed"}]}`, false},
		"a mistake of ours":        {400, `{"__type":"com.amazon.coral.validate#ValidationException"}`, false},
		"a lack of rights":         {400, `{"__type":"com.amazon.coral.service#AccessDeniedException"}`, false},
		"a missing table":          {400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}`, false},
	} {
		t.Run(fmt.Sprintf("%s: %v", name, c.want), func(t *testing.T) {
			t.Parallel()
			address, _ := answering(t, c.status, c.body)
			err := get(t.Context(), client(address))
			require.Error(t, err)
			assert.Equal(t, c.want, config.Unavailable(err), "%v", err)
		})
	}

	t.Run("connection refused: true", func(t *testing.T) {
		t.Parallel()
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, listener.Close())
		assert.True(t, config.Unavailable(get(t.Context(), client("http://"+listener.Addr().String()))))
	})

	t.Run("timeout: true", func(t *testing.T) {
		t.Parallel()
		address, _ := answering(t, 200, "{}")
		ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
		defer cancel()
		assert.True(t, config.Unavailable(get(ctx, client(address))))
	})

	t.Run("cancelled by the caller: false", func(t *testing.T) {
		t.Parallel()
		address, _ := answering(t, 200, "{}")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.False(t, config.Unavailable(get(ctx, client(address))))
	})

	t.Run("not an AWS call: false", func(t *testing.T) {
		t.Parallel()
		for _, err := range []error{nil, errors.New("x"), context.DeadlineExceeded, &net.OpError{Op: "dial", Err: errors.New("refused")}} {
			assert.False(t, config.Unavailable(err), "%v", err)
		}
	})

	t.Run("any failure of a service: true", func(t *testing.T) {
		t.Parallel()
		assert.True(t, config.Unavailable(&smithy.GenericAPIError{Code: "InternalServiceError", Fault: smithy.FaultServer}))
		assert.False(t, config.Unavailable(&smithy.GenericAPIError{Code: "DecryptionFailure", Fault: smithy.FaultClient}))
	})
}

func TestCounter(t *testing.T) {
	t.Parallel()

	t.Run("counts the calls of its own request", func(t *testing.T) {
		t.Parallel()
		address, _ := answering(t, 200, "{}")
		ctx, mine := observe.CountCalls(t.Context())
		other, others := observe.CountCalls(t.Context())
		for range 3 {
			require.NoError(t, get(ctx, client(address)))
		}
		require.NoError(t, get(other, client(address)))
		require.NoError(t, get(t.Context(), client(address)))
		assert.EqualValues(t, 3, mine.Count())
		assert.EqualValues(t, 1, others.Count())
	})
}

func TestLoad(t *testing.T) {
	address, calls := answering(t, 500, `{"__type":"InternalServerError"}`, `{"__type":"InternalServerError"}`, "{}")
	for name, value := range map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_ENDPOINT_URL": address,
	} {
		t.Setenv(name, value)
	}
	cfg, err := config.LoadAWS(t.Context(), os.Getenv)
	require.NoError(t, err)

	t.Run("makes clients try three times, and counts retries apart", func(t *testing.T) {
		ctx, counter := observe.CountCalls(t.Context())
		require.NoError(t, get(ctx, dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) { o.Retryer = unhurried{o.Retryer} })))
		assert.EqualValues(t, 3, calls.Load())
		assert.EqualValues(t, 1, counter.Count())
		assert.EqualValues(t, 2, counter.Retries())
		assert.Equal(t, 3, cfg.Retryer().MaxAttempts())
	})

	t.Run("makes clients try again when a transaction was using the row", func(t *testing.T) {
		address, calls := answering(t, 400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException"}`, "{}")
		require.NoError(t, get(t.Context(), dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
			o.BaseEndpoint, o.Retryer = &address, unhurried{o.Retryer}
		})))
		assert.EqualValues(t, 2, calls.Load())
	})

	t.Run("logs what DynamoDB throttles, with the table, once a second", func(t *testing.T) {
		log, last := metrictest.Logger(t)
		before := slog.Default()
		slog.SetDefault(log)
		t.Cleanup(func() { slog.SetDefault(before) })
		body := `{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","throttlingReasons":[` +
			`{"reason":"IndexWriteKeyRangeThroughputExceeded","resource":"arn:aws:dynamodb:table/t/index/due"}]}`
		address, _ := answering(t, 400, body)
		throttled := func() error {
			cfg, err := config.LoadAWS(t.Context(), os.Getenv)
			require.NoError(t, err)
			return get(t.Context(), dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
				o.BaseEndpoint, o.Retryer = &address, unhurried{o.Retryer}
			}))
		}
		require.Error(t, throttled())
		line := last()
		metrictest.Assert(t, line, "Throttles", "Count", 1)
		assert.Equal(t, "GetItem", line["operation"])
		assert.Equal(t, "arn:aws:dynamodb:table/t/index/due", line["resource"])
		assert.Equal(t, "IndexWriteKeyRangeThroughputExceeded", line["reason"])
		for other, body := range map[string]string{
			"a transaction": `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},{"Code":"ThrottlingError"}]}`,
			"throughput":    `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}`,
			"the account":   `{"__type":"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"}`,
		} {
			address, _ = answering(t, 400, body)
			require.Error(t, throttled())
			metrictest.Assert(t, last(), "Throttles", "Count", 1)
			assert.NotEmpty(t, other)
		}
		for _, body := range []string{
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}`,
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"TransactionConflict"}]}`,
		} {
			address, _ = answering(t, 400, body)
			require.Error(t, throttled())
			assert.Nil(t, last(), "refused for another reason")
		}
	})

	t.Run("logs what DynamoDB leaves out of a batch", func(t *testing.T) {
		log, last := metrictest.Logger(t)
		before := slog.Default()
		slog.SetDefault(log)
		t.Cleanup(func() { slog.SetDefault(before) })
		address, _ := answering(t, 200, `{"UnprocessedItems":{"t":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}`)
		cfg, err := config.LoadAWS(t.Context(), os.Getenv)
		require.NoError(t, err)
		db := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) { o.BaseEndpoint = &address })
		_, err = db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			"t": {{DeleteRequest: &types.DeleteRequest{Key: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}}},
		}})
		require.NoError(t, err)
		metrictest.Assert(t, last(), "Throttles", "Count", 1)
	})

	t.Run("prefers a service's own endpoint", func(t *testing.T) {
		own, calls := answering(t, 200, "{}")
		t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", own)
		cfg, err := config.LoadAWS(t.Context(), os.Getenv)
		require.NoError(t, err)
		require.NoError(t, get(t.Context(), dynamodb.NewFromConfig(cfg)))
		assert.EqualValues(t, 1, calls.Load())
	})

	t.Run("requires what Lambda sets", func(t *testing.T) {
		for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID"} {
			_, err := config.LoadAWS(t.Context(), func(n string) string {
				if n == name {
					return ""
				}
				return os.Getenv(n)
			})
			assert.Error(t, err, name)
		}
	})

	t.Run("waits briefly before it tries again, and longer if it was throttled", func(t *testing.T) {
		throttled := &types.ThrottlingException{Message: new("slow down")}
		for range 20 {
			for attempt, atMost := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond} {
				pause, err := cfg.Retryer().RetryDelay(attempt+1, errors.New("x"))
				require.NoError(t, err)
				assert.LessOrEqual(t, pause, atMost)
			}
		}
		longest := time.Duration(0)
		for attempt := range 40 {
			pause, err := cfg.Retryer().RetryDelay(attempt+1, throttled)
			require.NoError(t, err)
			assert.LessOrEqual(t, pause, time.Second)
			longest = max(longest, pause)
		}
		assert.Greater(t, longest, 500*time.Millisecond)
	})
}

// unhurried is a retryer that does not wait.
type unhurried struct{ aws.Retryer }

func (unhurried) RetryDelay(int, error) (time.Duration, error) { return 0, nil }
