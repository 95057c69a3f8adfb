package bootstrap

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Probe is a batch that every worker can process: of a queue or of the outbox's stream, about a partner, user and
// objects that never exist. A worker that has read it has its configuration, its secrets and its tables.
const Probe = `{"Records": [{"messageId": "probe",
	"body": "{\"kind\": \"send\", \"partner\": \"none\", \"user\": \"none\", \"connectionId\": \"none\",` +
	` \"cancellationId\": \"none\", \"subscriptionId\": \"none\", \"deliveryId\": \"none\"}",
	"eventName": "INSERT", "dynamodb": {"SequenceNumber": "0", "NewImage": {"pk": {"S": "none"},
		"queue": {"S": "events"}, "body": {"S": "{\"id\": \"none\", \"partner\": \"none\"}"}}}}]}`

// probed is a worker that CodeDeploy asks before it gives a new version the first batch. CodeDeploy waits an hour for
// an answer, and gives the version nothing if there is none.
type probed struct {
	lambda.Handler

	// report calls PutLifecycleEventHookExecutionStatus.
	report func(ctx context.Context, body []byte) error
}

// hook is CodeDeploy's event, and with Status its answer.
type hook struct {
	DeploymentID string `json:"deploymentId"`
	ExecutionID  string `json:"lifecycleEventHookExecutionId"`
	Status       string `json:"status"`
}

// Invoke implements lambda.Handler.
func (p probed) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	var h hook
	if !bytes.Contains(event, []byte("LifecycleEventHookExecutionId")) ||
		json.Unmarshal(event, &h) != nil || h.ExecutionID == "" {
		return p.Handler.Invoke(ctx, event)
	}
	h.Status = "Succeeded"
	if err := p.try(ctx); err != nil {
		slog.Error("the new version failed its probe", "error", err.Error())
		h.Status = "Failed"
	}
	body, _ := json.Marshal(h) // three texts: cannot fail
	return nil, p.report(ctx, body)
}

// try processes the probe.
func (p probed) try(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	answer, err := p.Handler.Invoke(ctx, []byte(Probe))
	if err != nil {
		return err
	}
	var failed struct{ BatchItemFailures []json.RawMessage }
	if err := json.Unmarshal(answer, &failed); err != nil || len(failed.BatchItemFailures) > 0 {
		return errors.New("the batch was not processed: its log line says why")
	}
	return nil
}

// codeDeploy sends CodeDeploy the answer to a hook. The SDK's client would add a megabyte for one call. URL replaces
// CodeDeploy's address, for tests.
type codeDeploy struct {
	Config aws.Config
	URL    string
}

func (c codeDeploy) report(ctx context.Context, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("report to CodeDeploy: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.1")
	req.Header.Set("X-Amz-Target", "CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus")
	credentials, err := c.Config.Credentials.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("report to CodeDeploy: %w", err)
	}
	hash := sha256.Sum256(body)
	digest := hex.EncodeToString(hash[:])
	err = v4.NewSigner().SignHTTP(ctx, credentials, req, digest, "codedeploy", c.Config.Region, time.Now())
	if err != nil {
		return fmt.Errorf("report to CodeDeploy: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("report to CodeDeploy: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("report to CodeDeploy: status %d", res.StatusCode)
	}
	return nil
}
