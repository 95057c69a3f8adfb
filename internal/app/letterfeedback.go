package app

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/api"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/config"
	"aviso/internal/fault"
	"aviso/internal/keyring"
)

// LetterFeedback is the function that hears what became of letters: carriers
// call it over HTTP, and SES's events come over EventBridge.
func LetterFeedback(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, baseURL := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE"), r.Optional("BASE_URL", "")
	settings := readCarrierSettings(r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(c.dynamo, table, outboxTable, time.Now, newID)
	defer warmed(ctx, func(ctx context.Context) error { _, err := store.CancellationOwner(ctx, nothing); return err })()
	feedback := cancellation.NewFeedback(store, time.Now)
	calls := &callbacks{feedback: feedback, settings: settings, secrets: secretsmanager.NewFromConfig(c.config)}
	router := api.New(api.Options{Service: "letter-feedback", BaseURL: baseURL, Now: time.Now, NewID: newID, Log: slog.Default()})
	cancellationapi.RegisterCallbacks(router, calls)
	return feedbackHandler{http: api.LambdaHandler(router.Handler()), feedback: feedback}, nil
}

// feedbackHandler tells events of SES from requests.
type feedbackHandler struct {
	http     lambda.Handler
	feedback *cancellation.Feedback
}

// Invoke is lambda.Handler's.
func (h feedbackHandler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.EventBridgeEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	if e.Source != "aws.ses" {
		return h.http.Invoke(ctx, payload)
	}
	report, tells, err := carrier.ParseSESEvent(e.Detail)
	if err != nil {
		return nil, err
	}
	if tells {
		if err := h.feedback.Report(ctx, report); err != nil {
			return nil, err
		}
	}
	slog.InfoContext(ctx, "mail event", "type", e.DetailType, "cancellation", report.CancellationID, "state", string(report.State))
	return []byte("null"), nil
}

// callbacks is the cancellationapi.CallbackService.
type callbacks struct {
	feedback *cancellation.Feedback
	settings carrierSettings
	secrets  keyring.SecretReader
}

// Pingen is cancellationapi.CallbackService's.
func (c *callbacks) Pingen(ctx context.Context, header http.Header, body []byte) error {
	accounts, err := c.settings.accounts(ctx, c.secrets, api.BaseURL(ctx))
	if err != nil {
		return err
	}
	if accounts.post == nil {
		return notAuthentic()
	}
	post, err := carrier.NewPost(*accounts.post)
	if err != nil {
		return err
	}
	report, err := post.ParseWebhook(header, body)
	return c.take(ctx, report, err)
}

// Sinch is cancellationapi.CallbackService's.
func (c *callbacks) Sinch(ctx context.Context, cancellationID, shipmentID, token, contentType string, body []byte) error {
	accounts, err := c.settings.accounts(ctx, c.secrets, api.BaseURL(ctx))
	if err != nil {
		return err
	}
	if accounts.fax == nil {
		return notAuthentic()
	}
	fax, err := carrier.NewFax(*accounts.fax)
	if err != nil {
		return err
	}
	report, err := fax.ParseCallback(ctx, carrier.FaxCallback{
		CancellationID: cancellationID, ShipmentID: shipmentID, Token: token, ContentType: contentType, Body: body,
	})
	return c.take(ctx, report, err)
}

// take applies a report, or says why there is none.
func (c *callbacks) take(ctx context.Context, report cancellation.Report, err error) error {
	var busy *cancellation.CarrierError
	switch {
	case errors.Is(err, carrier.ErrNothingReported):
		return nil
	case errors.Is(err, carrier.ErrNotAuthentic):
		return notAuthentic()
	case errors.Is(err, carrier.ErrMalformedCallback):
		return fault.New(fault.MalformedRequest, "Nothing can be read from the callback.")
	case errors.As(err, &busy):
		slog.WarnContext(ctx, "report could not be read back", "reason", busy.Reason)
		return &fault.Error{Code: fault.TemporarilyUnavailable, Detail: "The report could not be read back; send it again.", RetryAfter: time.Minute}
	case err != nil:
		return err
	}
	slog.InfoContext(ctx, "carrier's report", "channel", string(report.Channel), "state", string(report.State), "reason", report.Reason)
	return c.feedback.Report(ctx, report)
}

func notAuthentic() error {
	return fault.New(fault.Unauthorized, "The callback does not prove whom it comes from.")
}

// Reply is cancellationapi.CallbackService's.
func (c *callbacks) Reply(ctx context.Context, authorization string, r cancellationapi.Reply) error {
	if c.settings.stage == config.Production {
		return fault.New(fault.NotAvailableInProd, "Only the sandbox answers for organizations.")
	}
	root, err := keyring.Load(ctx, c.secrets, c.settings.sandboxSecret)
	if err != nil {
		return err
	}
	sandbox, err := sandboxCarrierCredentials(root)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(authorization), []byte("Bearer "+sandbox.ReplyToken)) != 1 {
		return notAuthentic()
	}
	err = c.feedback.Reply(ctx, r.CancellationID, r.Status, r.Reason)
	switch {
	case errors.Is(err, cancellation.ErrNotFound):
		return fault.New(fault.NotFound, "There is no such cancellation.")
	case errors.Is(err, cancellation.ErrChanged):
		return fault.New(fault.Conflict, "The cancellation stands where no answer can come.")
	case errors.Is(err, cancellation.ErrNoReply):
		return fault.New(fault.MalformedRequest, "Confirmed, or Rejected with a reason.")
	}
	return err
}
