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
	"aviso/internal/clock"
)

var _ cancellation.Carrier = (*Email)(nil)

// sendEventWait is how long to wait for a Send event. If there is none by then, the
// mail was not sent.
const sendEventWait = 15 * time.Minute

// simulator is the domain of SES's own test addresses.
const simulator = "simulator.amazonses.com"

// The names of the tags, which SES includes in every event.
const (
	tagCancellation = "cancellationId"
	tagShipment     = "shipmentId"
)

const sendEmail = "send e-mail"

// EmailSender is the part of SES that Email needs. Package sesmail implements it.
type EmailSender interface {
	// SendEmail sends a MIME message to one address, without retries, and returns
	// SES's ID of it. The events of the configuration set include the tags. Errors
	// are those of the AWS SDK.
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
	// Service follows the user's name in From. The default is "Aviso".
	Service string
	// ConfigurationSet is the configuration set that publishes events; required.
	ConfigurationSet string
	// Redirect is an optional address that receives all mail except mail to SES's
	// mailbox simulator, so that a test environment writes to nobody else.
	Redirect string
	// Now is the clock; required.
	Now func() time.Time
	// Timeout bounds a call. The default is 15 s.
	Timeout time.Duration
	// Observe is called after every call; optional.
	Observe func(ctx context.Context, call Call)
}

// Email sends letters by e-mail.
type Email struct {
	ses              EmailSender
	from, redirect   string
	service          string
	configurationSet string
	now              func() time.Time
	timeout          time.Duration
	observe          func(ctx context.Context, call Call)
}

// NewEmail returns the e-mail carrier. It fails if a required option is missing or
// an address is invalid.
func NewEmail(o EmailOptions) (*Email, error) {
	if o.SES == nil || o.Now == nil || o.ConfigurationSet == "" {
		return nil, errors.New("e-mail carrier: SES, a clock and a configuration set are required")
	}
	from, err := parseAddress(o.From)
	if err != nil {
		return nil, errors.New("e-mail carrier: SES cannot send from the address From")
	}
	e := &Email{
		ses: o.SES, from: from, service: phrase(o.Service), configurationSet: o.ConfigurationSet,
		now: o.Now, timeout: o.Timeout, observe: o.Observe,
	}
	if o.Redirect != "" {
		if e.redirect, err = parseAddress(o.Redirect); err != nil {
			return nil, errors.New("e-mail carrier: SES cannot send to the address Redirect")
		}
	}
	if e.service == "" {
		e.service = "Aviso"
	}
	if e.timeout <= 0 {
		e.timeout = defaultTimeouts().Total
	}
	if e.observe == nil {
		e.observe = func(context.Context, Call) {}
	}
	return e, nil
}

// Send hands the letter to SES. SES offers no way to ask for the result afterwards.
// The receipt's reference is SES's message ID.
func (e *Email) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	if s.Channel.Kind != cancellation.ChannelEmail {
		return cancellation.Receipt{}, fmt.Errorf("send e-mail: channel is %s", s.Channel.Kind)
	}
	if !s.TriedAt.IsZero() {
		if rest := s.TriedAt.Add(sendEventWait).Sub(clock.Now(ctx, e.now)); rest > 0 {
			return cancellation.Receipt{}, busy("WaitingForSendEvent", rest)
		}
	}
	if s.LookOnly {
		return cancellation.Receipt{}, notSent()
	}
	to, err := parseAddress(s.Channel.Email)
	if err != nil {
		return cancellation.Receipt{}, refused("AddressNotSendable")
	}
	if e.redirect != "" && domainOf(to) != simulator {
		to = e.redirect
	}
	raw, err := compose(envelope{
		from: mail.Address{Name: e.displayName(s.SenderName), Address: e.from},
		to:   to, replyTo: replyAddress(s.ReplyTo),
		subject: s.Document.Subject, text: s.Document.Text,
		fileName: s.Document.FileName, pdf: s.Document.PDF, enclosure: s.Document.Enclosure,
		date: e.now(),
	})
	if err != nil {
		return cancellation.Receipt{}, err
	}
	return e.send(ctx, to, raw, map[string]string{tagCancellation: s.CancellationID, tagShipment: s.ID})
}

func (e *Email) send(ctx context.Context, to string, raw []byte, tags map[string]string) (cancellation.Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	started := e.now()
	id, err := e.ses.SendEmail(ctx, e.configurationSet, to, raw, tags)
	call := Call{Operation: sendEmail, Status: http.StatusOK, Duration: e.now().Sub(started)}
	if err != nil {
		call.Status = 0
		if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
			call.Status = response.HTTPStatusCode()
		}
	}
	e.observe(ctx, call)
	switch {
	case err != nil:
		return cancellation.Receipt{}, sesFailure(ctx, err)
	case id == "":
		return cancellation.Receipt{}, malformed(sendEmail)
	default:
		return cancellation.Receipt{Reference: id}, nil
	}
}

// displayName returns the names of the user and the service, so that nobody mistakes
// the mail for one that the user sent.
func (e *Email) displayName(sender string) string {
	if name := phrase(sender); name != "" {
		return name + " via " + e.service
	}
	return e.service
}

// replyAddress returns an empty string if the user's address cannot be used. A
// letter without a reply address is better than none, and the letter itself says how
// to reach the user.
func replyAddress(s string) string {
	address, err := parseAddress(s)
	if err != nil {
		return ""
	}
	return address
}

// sesFailure returns what an error of SES means for the letter. Only two errors are
// about the message: BadRequestException, and MessageRejected unless it is about an
// unverified identity. All other errors from SES are about the account, its setup or
// its limits, and would affect any letter.
func sesFailure(ctx context.Context, err error) *cancellation.CarrierError {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return noResponse(sendEmail, transportCause(ctx, err))
	}
	code := api.ErrorCode()
	if !sesShape.fits(code) {
		code = "UnknownError"
	}
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
