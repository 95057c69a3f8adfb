package replyreaderfn

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/reply/inbox"
	"aviso/internal/secret/keyring"
)

// organizations receive the mail that the sandbox writes for them.
type organizations struct {
	inbox    *inbox.Inbox
	feedback *dispatch.Feedback
	secrets  keyring.SecretReader
	// secret is the root of the sandbox's credentials. It is empty in production.
	secret string
}

// receive receives a mail at the address of a cancellation that waits for an answer.
func (o *organizations) receive(req *http.Request, body []byte) error {
	var r cancellationapi.Reply
	if err := json.Unmarshal(body, &r); err != nil {
		return apierror.New(apierror.MalformedRequest, "The body is not a valid JSON reply.")
	}
	ctx := req.Context()
	if o.secret == "" {
		return apierror.New(apierror.NotAvailableInProd, "Only the sandbox can answer for organizations.")
	}
	if err := o.authenticate(ctx, req.Header.Get("Authorization")); err != nil {
		return err
	}
	c, err := o.feedback.Inspect(ctx, r.CancellationID)
	if err != nil {
		return err
	}
	if c.ReplyAddress == "" || c.Status != cancellation.StatusSent && c.Status != cancellation.StatusDelivered {
		return apierror.New(apierror.Conflict, "The cancellation is "+string(c.Status.Shown())+" and waits for no answer.")
	}
	const pass = "PASS"
	mail := "To: <" + c.ReplyAddress + ">\r\n" + cmp.Or(r.Mails[c.Locale.Language()], r.Mails["en"])
	return o.inbox.Receive(ctx, inbox.Delivery{
		To: []string{c.ReplyAddress}, Raw: []byte(mail),
		Verdicts: inbox.Verdicts{SPF: pass, DKIM: pass, DMARC: pass},
	})
}

func (o *organizations) authenticate(ctx context.Context, authorization string) error {
	root, err := keyring.Load(ctx, o.secrets, o.secret)
	if err != nil {
		return err
	}
	sandbox, err := keyring.DeriveCarriers(root)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(authorization), []byte("Bearer "+sandbox.ReplyToken)) != 1 {
		return apierror.New(apierror.Unauthorized, "The token is missing or invalid.")
	}
	return nil
}
