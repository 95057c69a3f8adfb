package bootstrap

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// worker is a handler that answers or fails.
type worker func(event string) (string, error)

func (w worker) Invoke(_ context.Context, event []byte) ([]byte, error) {
	answer, err := w(string(event))
	return []byte(answer), err
}

// CodeDeploy's event and call are those of its user guide and of its API's definition.
func TestAWorkerAnswersCodeDeploy(t *testing.T) {
	t.Parallel()
	const event = `{"DeploymentId":"d-1A2B3C4D5","LifecycleEventHookExecutionId":"eyJlbmNyeXB0ZWREYXRhIjoiLi4uIn0"}`
	for name, c := range map[string]struct {
		work worker
		want string
	}{
		"that processes the batch": {func(event string) (string, error) { return `{"batchItemFailures":null}`, nil }, "Succeeded"},
		"whose table is missing":   {func(string) (string, error) { return `{"batchItemFailures":[{"itemIdentifier":"probe"}]}`, nil }, "Failed"},
		"that returns an error":    {func(string) (string, error) { return "", errors.New("no secret") }, "Failed"},
		"that panics":              {func(string) (string, error) { panic("nil map") }, "Failed"},
		"that answers nothing":     {func(string) (string, error) { return "", nil }, "Failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = append(got, r.Method, r.Header.Get("X-Amz-Target"), r.Header.Get("Content-Type"), string(body))
				assert.Contains(t, r.Header.Get("Authorization"), "/eu-central-1/codedeploy/aws4_request")
			}))
			defer server.Close()
			cfg := aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("key", "secret", "")}
			work := worker(func(event string) (string, error) {
				assert.JSONEq(t, Probe, event)
				return c.work(event)
			})
			_, err := probed{work, codeDeploy{cfg, server.URL}.report}.Invoke(t.Context(), []byte(event))
			require.NoError(t, err)
			assert.Equal(t, []string{
				"POST", "CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus", "application/x-amz-json-1.1",
				`{"deploymentId":"d-1A2B3C4D5","lifecycleEventHookExecutionId":"eyJlbmNyeXB0ZWREYXRhIjoiLi4uIn0","status":"` + c.want + `"}`,
			}, got)
		})
	}
}

// A partner cannot make a function report anything: whatever they send is inside an event.
func TestOnlyCodeDeployIsAnswered(t *testing.T) {
	t.Parallel()
	p := probed{worker(func(string) (string, error) { return "handled", nil }), func(context.Context, []byte) error {
		return errors.New("reported")
	}}
	for _, event := range []string{
		`{"Records":[{"body":"{\"DeploymentId\":\"d\",\"LifecycleEventHookExecutionId\":\"e\"}"}]}`,
		`{"version":"2.0","body":"LifecycleEventHookExecutionId"}`, `{"LifecycleEventHookExecutionId":""}`, `["LifecycleEventHookExecutionId"`,
	} {
		answer, err := p.Invoke(t.Context(), []byte(event))
		require.NoError(t, err)
		assert.Equal(t, "handled", string(answer))
	}
	_, err := p.Invoke(t.Context(), []byte(`{"DeploymentId":"d","LifecycleEventHookExecutionId":"e"}`))
	require.ErrorContains(t, err, "reported", "Lambda counts it as an error, and CodeDeploy gives up after an hour")
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	defer down.Close()
	cfg := aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("key", "secret", "")}
	require.ErrorContains(t, codeDeploy{cfg, down.URL}.report(t.Context(), nil), "status 400")
}
