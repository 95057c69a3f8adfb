package letterfeedbackfn

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"

	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/outcome"
	"aviso/internal/secret/keyring"
)

// callbacks handle the reports of carriers; see cancellationapi.Callbacks.
type callbacks struct {
	feedback *dispatch.Feedback
	settings carrier.Settings
	secrets  keyring.SecretReader
}

// pingen applies a webhook of the post office.
func (c *callbacks) pingen(req *http.Request, body []byte) error {
	ctx := req.Context()
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
	report, err := post.ParseWebhook(req.Header, body)
	report.Received = evidence.Received{Body: body, Signature: req.Header.Get("Signature")}
	return c.take(ctx, report, err)
}

// sinch applies a callback of the fax gateway.
func (c *callbacks) sinch(req *http.Request, body []byte) error {
	ctx := req.Context()
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
		CancellationID: req.PathValue("cancellationId"), ShipmentID: req.PathValue("shipmentId"),
		Token: req.PathValue("token"), ContentType: req.Header.Get("Content-Type"), Body: body,
	})
	return c.take(ctx, report, err)
}

// take applies a report. If err is set instead, it returns the refusal for it.
func (c *callbacks) take(ctx context.Context, report dispatch.Report, err error) error {
	var busy *dispatch.CarrierError
	switch {
	case errors.Is(err, carrier.ErrNothingReported):
		return nil
	case errors.Is(err, carrier.ErrNotAuthentic):
		return notAuthentic()
	case errors.Is(err, carrier.ErrMalformedCallback):
		return apierror.New(apierror.MalformedRequest, "The callback is malformed.")
	case errors.As(err, &busy):
		slog.WarnContext(ctx, "report not verified with the carrier", "reason", busy.Reason)
		return errors.Join(&apierror.Error{
			Code: apierror.TemporarilyUnavailable, Detail: "The report could not be verified. Send it again.",
			RetryAfter: time.Minute,
		}, &outcome.Later{Err: err, Normal: true})
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
