package letterfeedbackfn

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/secret/keyring"
)

// callbacks implements cancellationapi.CallbackService.
type callbacks struct {
	feedback *cancellation.Feedback
	settings carrier.Settings
	secrets  keyring.SecretReader
}

// Pingen applies a webhook of the post office.
func (c *callbacks) Pingen(ctx context.Context, header http.Header, body []byte) error {
	accounts, err := c.settings.Accounts(ctx, c.secrets, api.BaseURL(ctx))
	if err != nil {
		return err
	}
	if accounts.Post == nil {
		return notAuthentic()
	}
	post, err := carrier.NewPost(*accounts.Post)
	if err != nil {
		return err
	}
	report, err := post.ParseWebhook(header, body)
	report.Received = cancellation.Received{Body: body, Signature: header.Get("Signature")}
	return c.take(ctx, report, err)
}

// Sinch applies a callback of the fax gateway.
func (c *callbacks) Sinch(
	ctx context.Context, cancellationID, shipmentID, token, contentType string, body []byte,
) error {
	accounts, err := c.settings.Accounts(ctx, c.secrets, api.BaseURL(ctx))
	if err != nil {
		return err
	}
	if accounts.Fax == nil {
		return notAuthentic()
	}
	fax, err := carrier.NewFax(*accounts.Fax)
	if err != nil {
		return err
	}
	report, err := fax.ParseCallback(ctx, carrier.FaxCallback{
		CancellationID: cancellationID, ShipmentID: shipmentID, Token: token, ContentType: contentType, Body: body,
	})
	return c.take(ctx, report, err)
}

// take applies a report, or returns the refusal for the error that replaced it.
func (c *callbacks) take(ctx context.Context, report cancellation.Report, err error) error {
	var busy *cancellation.CarrierError
	switch {
	case errors.Is(err, carrier.ErrNothingReported):
		return nil
	case errors.Is(err, carrier.ErrNotAuthentic):
		return notAuthentic()
	case errors.Is(err, carrier.ErrMalformedCallback):
		return apierror.New(apierror.MalformedRequest, "The callback is malformed.")
	case errors.As(err, &busy):
		slog.WarnContext(ctx, "report not verified with the carrier", "reason", busy.Reason)
		return &apierror.Error{
			Code: apierror.TemporarilyUnavailable, Detail: "The report could not be verified. Send it again.",
			RetryAfter: time.Minute,
		}
	case err != nil:
		return err
	}
	slog.InfoContext(ctx, "carrier's report",
		"channel", string(report.Channel), "state", string(report.State), "reason", report.Reason)
	return c.feedback.Report(ctx, report)
}

func notAuthentic() error {
	return apierror.New(apierror.Unauthorized, "The callback's signature or token is missing or invalid.")
}

// Reply records an organization's answer, which the sandbox sends.
func (c *callbacks) Reply(ctx context.Context, authorization string, r cancellationapi.Reply) error {
	if c.settings.Stage == config.Production {
		return apierror.New(apierror.NotAvailableInProd, "Only the sandbox can answer for organizations.")
	}
	root, err := keyring.Load(ctx, c.secrets, c.settings.SandboxSecret)
	if err != nil {
		return err
	}
	sandbox, err := keyring.DeriveCarriers(root)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(authorization), []byte("Bearer "+sandbox.ReplyToken)) != 1 {
		return notAuthentic()
	}
	err = c.feedback.Reply(ctx, r.CancellationID, r.Status, r.Reason, evidence.ActorOrganization)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return apierror.New(apierror.NotFound, "There is no such cancellation.")
	case errors.Is(err, outcome.ErrChanged):
		return apierror.New(apierror.Conflict, "This cancellation is not waiting for an answer.")
	case errors.Is(err, cancellation.ErrInvalidReply):
		return apierror.New(apierror.MalformedRequest, "Send Confirmed, or Rejected with a reason.")
	}
	return err
}
