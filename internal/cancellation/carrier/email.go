package carrier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/mail"
	"strings"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/clock"
)

var _ dispatch.Carrier = (*Email)(nil)

// sendEventWait is the longest wait for a Send event. Without an event by then, the mail was not sent.
const sendEventWait = 15 * time.Minute

// simulator is the domain of SES's own test addresses.
const simulator = "@simulator.amazonses.com"

// The names of the tags, which SES includes in every event.
const (
	tagCancellation = "cancellationId"
	tagShipment     = "shipmentId"
)

const sendEmail = "send e-mail"

// EmailSender is the part of SES that Email needs. Package sesmail implements it.
type EmailSender interface {
	// SendEmail sends a MIME message to one address, without retries, and returns SES's message ID. The events of the
	// configuration set include the tags. Errors are those of the AWS SDK.
	SendEmail(
		ctx context.Context, configurationSet, to string, message []byte, tags map[string]string,
	) (messageID string, err error)
}

// EmailOptions are the options of Email.
type EmailOptions struct {
	// SES sends the mail; required.
	SES EmailSender
	// From is an address whose identity SES has verified; required.
	From string
	// ConfigurationSet is the configuration set that publishes events; required.
	ConfigurationSet string
	// Redirect is an optional address that receives all mail except mail to SES's mailbox simulator, so that a test
	// environment writes to nobody else.
	Redirect string
	// ReplyTo is the operator's mailbox, for letters without a reply address that SES accepts. It is optional.
	ReplyTo string
	// Now is the clock; required.
	Now func() time.Time
}

// Email sends letters by e-mail.
type Email struct{ EmailOptions }

// NewEmail returns the e-mail carrier. It fails if SES cannot send from the address.
func NewEmail(o EmailOptions) (*Email, error) {
	var err error
	if o.From, err = cancellation.ParseEmail(o.From); err != nil {
		return nil, errors.New("e-mail carrier: SES cannot send from the address From")
	}
	if o.ReplyTo != "" {
		if o.ReplyTo, err = cancellation.ParseEmail(o.ReplyTo); err != nil {
			return nil, errors.New("e-mail carrier: SES cannot use the address ReplyTo")
		}
	}
	return &Email{o}, nil
}

// Send hands the letter to SES. The result cannot be queried from SES later. The receipt's reference is SES's message
// ID.
func (e *Email) Send(ctx context.Context, s dispatch.Shipment) (dispatch.Receipt, error) {
	if s.Channel.Kind != cancellation.ChannelEmail {
		return dispatch.Receipt{}, fmt.Errorf("send e-mail: channel is %s", s.Channel.Kind)
	}
	if !s.TriedAt.IsZero() {
		if rest := s.TriedAt.Add(sendEventWait).Sub(clock.Now(ctx, e.Now)); rest > 0 {
			return dispatch.Receipt{}, busy("WaitingForSendEvent", rest)
		}
	}
	if s.LookOnly {
		return dispatch.Receipt{}, notSent()
	}
	to, err := cancellation.ParseEmail(s.Channel.Email)
	if err != nil {
		return dispatch.Receipt{}, refused("AddressNotSendable")
	}
	if e.Redirect != "" && !strings.HasSuffix(strings.ToLower(to), simulator) {
		to = e.Redirect
	}
	replyTo, err := cancellation.ParseEmail(s.ReplyTo)
	if err != nil { // the letter itself has the user's address
		replyTo = e.ReplyTo
	}
	raw, err := compose(envelope{
		Document: s.Document, from: mail.Address{Name: displayName(s.SenderName), Address: e.From},
		to: to, replyTo: replyTo, date: e.Now(),
	})
	if err != nil {
		return dispatch.Receipt{}, fmt.Errorf("compose e-mail: %w", err)
	}
	return e.send(ctx, to, raw, map[string]string{tagCancellation: s.CancellationID, tagShipment: s.ID})
}

func (e *Email) send(ctx context.Context, to string, raw []byte, tags map[string]string) (dispatch.Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	started := e.Now()
	id, err := e.SES.SendEmail(ctx, e.ConfigurationSet, to, raw, tags)
	status := http.StatusOK
	if err != nil {
		status = 0
		if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
			status = response.HTTPStatusCode()
		}
	}
	logCall(ctx, sendEmail, status, e.Now().Sub(started))
	switch {
	case err != nil:
		return dispatch.Receipt{}, sesFailure(ctx, err)
	case id == "":
		return dispatch.Receipt{}, malformed(sendEmail)
	default:
		return dispatch.Receipt{Reference: id}, nil
	}
}

// displayName returns the names of the user and the service, so that nobody takes the mail for the user's own.
// Without a usable name, it is only the service's.
func displayName(sender string) string {
	return strings.TrimPrefix(phrase(sender)+" via Aviso", " via ")
}

// sesFailure returns the effect of an SES error on the letter. Only two errors are about the message:
// BadRequestException, and MessageRejected unless it is about an unverified identity. All others are about the
// account, its setup or its limits, and would affect any letter.
func sesFailure(ctx context.Context, err error) *dispatch.CarrierError {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return noResponse(ctx, sendEmail, err)
	}
	code := safeCode(api.ErrorCode())
	var response *awshttp.ResponseError
	if errors.As(err, &response) && response.HTTPStatusCode() >= 500 || api.ErrorFault() == smithy.FaultServer {
		return unclear(code, 0)
	}
	unverified := strings.Contains(api.ErrorMessage(), "not verified")
	if code == "BadRequestException" || code == "MessageRejected" && !unverified {
		return refused(code)
	}
	return busy(code, 0)
}
