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
)

var _ cancellation.Carrier = (*Email)(nil)

// sendEventWait is how long a Send event may take. No such event within this time
// means that the mail was not sent.
const sendEventWait = 15 * time.Minute

// simulator is the domain of SES's own test addresses.
const simulator = "simulator.amazonses.com"

// The names of the tags, which SES gives back with every event.
const (
	tagCancellation = "cancellationId"
	tagShipment     = "shipmentId"
)

const sendEmail = "send e-mail"

// EmailSender is the part of SES that Email needs; package sesmail has it.
type EmailSender interface {
	// SendEmail sends a MIME message to one address, once, and gives SES's id of
	// it. The set's events bring the tags back. Errors are those of the AWS SDK.
	SendEmail(ctx context.Context, configurationSet, to string, message []byte, tags map[string]string) (messageID string, err error)
}

// EmailOptions are what Email needs from outside.
type EmailOptions struct {
	// SES sends; required.
	SES EmailSender
	// From is an address whose identity SES has verified; required.
	From string
	// Service is what stands behind the user's name in From, "Aviso" by default.
	Service string
	// ConfigurationSet is the one that publishes events; required.
	ConfigurationSet string
	// Redirect, where it is set, gets every mail that is not for SES's mailbox
	// simulator, so that a test environment writes to nobody.
	Redirect string
	// Now is the clock; required.
	Now func() time.Time
	// Timeout bounds a call; 15 s by default.
	Timeout time.Duration
	// Observe is told of every call once it is over; may be nil.
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

// NewEmail fails where an option is missing or no address.
func NewEmail(o EmailOptions) (*Email, error) {
	if o.SES == nil || o.Now == nil || o.ConfigurationSet == "" {
		return nil, errors.New("e-mail carrier: SES, a clock and a configuration set are needed")
	}
	from, err := parseAddress(o.From)
	if err != nil {
		return nil, errors.New("e-mail carrier: From is no address that SES can send from")
	}
	e := &Email{
		ses: o.SES, from: from, service: phrase(o.Service), configurationSet: o.ConfigurationSet,
		now: o.Now, timeout: o.Timeout, observe: o.Observe,
	}
	if o.Redirect != "" {
		if e.redirect, err = parseAddress(o.Redirect); err != nil {
			return nil, errors.New("e-mail carrier: Redirect is no address that SES can send to")
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

// Send hands the letter to SES, which takes it or does not: there is no way to
// ask afterwards. The receipt's reference is SES's message id.
func (e *Email) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	if s.Channel.Kind != cancellation.ChannelEmail {
		return cancellation.Receipt{}, fmt.Errorf("send e-mail: channel is %s", s.Channel.Kind)
	}
	if !s.TriedAt.IsZero() {
		if rest := s.TriedAt.Add(sendEventWait).Sub(e.now()); rest > 0 {
			return cancellation.Receipt{}, busy("WaitingForSendEvent", rest)
		}
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
		fileName: s.Document.FileName, pdf: s.Document.PDF,
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

// displayName says who writes and by whom, so that nobody takes the mail for
// the user's own.
func (e *Email) displayName(sender string) string {
	if name := phrase(sender); name != "" {
		return name + " via " + e.service
	}
	return e.service
}

// replyAddress is empty where the user's address cannot be used: a letter that
// gets no answer by e-mail is better than none, and the letter itself tells how
// to reach the user.
func replyAddress(s string) string {
	address, err := parseAddress(s)
	if err != nil {
		return ""
	}
	return address
}

// sesFailure says what an error of SES means for the letter. Only two are about
// the message: BadRequestException, and MessageRejected where it does not speak
// of an identity that is not verified. All others that SES words itself are
// about the account, its set-up or its limits, and would meet any letter.
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
	if code == "BadRequestException" || code == "MessageRejected" && !strings.Contains(api.ErrorMessage(), "not verified") {
		return refused(code)
	}
	return busy(code, 0)
}
