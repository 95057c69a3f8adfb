// Package letterfeedbackfn builds the function letter-feedback, which receives the
// delivery status of letters: carriers call it over HTTP, and SES sends events
// through EventBridge.
package letterfeedbackfn

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api"
	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/dynamo"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE")
	baseURL := r.Optional("BASE_URL", "")
	settings := carrier.ReadSettings(r, time.Now)
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(c.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	defer bootstrap.WarmUp(ctx, store.CancellationOwner)()
	feedback := &dispatch.Feedback{Store: store, Now: time.Now, Clocks: dynamo.NewClocks(c.Dynamo, r)}
	calls := &callbacks{feedback: feedback, settings: settings, secrets: cache.Reader(c.Config)}
	router := api.New(api.Options{
		Service: "letter-feedback", BaseURL: baseURL, Now: time.Now, NewID: bootstrap.NewID, Log: slog.Default(),
	})
	cancellationapi.RegisterCallbacks(router, cancellationapi.Callbacks{
		Pingen: calls.pingen, Sinch: calls.sinch,
	})
	served := apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), router.Handler())
	return feedbackHandler{http: served, feedback: feedback}, nil
}

// feedbackHandler handles both HTTP requests and SES events.
type feedbackHandler struct {
	http     lambda.Handler
	feedback *dispatch.Feedback
}

// Invoke implements lambda.Handler.
func (h feedbackHandler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.EventBridgeEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	if e.Source != "aws.ses" {
		return h.http.Invoke(ctx, payload)
	}
	report, relevant, err := carrier.ParseSESEvent(e.Detail)
	if err != nil {
		return nil, err
	}
	if relevant {
		report.Received.Body = e.Detail
		if err := h.feedback.Report(ctx, report); err != nil {
			return nil, err
		}
	}
	slog.InfoContext(ctx, "mail event",
		"type", e.DetailType, "cancellation", report.CancellationID, "state", string(report.State))
	return []byte("null"), nil
}
