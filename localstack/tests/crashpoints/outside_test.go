package crashpoints

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/notification"
	"aviso/internal/pfm"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// outside is what the service calls besides AWS, and what it has got there.
type outside struct {
	bank *pfmtest.Bank
	// answer is how a receiver answers the nth call, from 1.
	answer   func(c notification.Call, n int) notification.Outcome
	received []notification.Call
	// mails counts the mails that SES has accepted, by cancellation.
	mails map[string]int
	// alerted counts the mails to partners.
	alerted int
	// lastMail is when it accepted the last one.
	lastMail time.Time
	// silent keeps SES from sending events.
	silent bool
	// carriers are made when they are first called.
	carriers *mailroomtest.Env
	heard    int
	messages map[string]*message
	// problems is what went wrong outside a check.
	problems []string
}

func newOutside() outside {
	return outside{
		bank: &pfmtest.Bank{}, mails: map[string]int{}, messages: map[string]*message{},
		answer: func(notification.Call, int) notification.Outcome { return notification.OutcomeAcknowledged },
	}
}

// mailroom returns the sandbox's carriers.
func (w *world) mailroom() *mailroomtest.Env {
	if w.carriers == nil {
		w.carriers = mailroomtest.New(testenv.DynamoDB(w.t), testenv.Table(w.t, "SandboxTable"))
	}
	w.carriers.AdvanceTime(w.t, w.now.Sub(w.carriers.Now()))
	return w.carriers
}

// post is a receiver that gets a callback.
func (w *world) post(_ context.Context, c notification.Call) notification.Result {
	outcome, err := w.call(func() (any, error) {
		w.received = append(w.received, c)
		return w.answer(c, len(w.received)), nil
	})
	if err != nil {
		return notification.Result{Outcome: notification.OutcomeConnectionError}
	}
	result := notification.Result{HTTPStatus: 200}
	result.Outcome, _ = outcome.(notification.Outcome)
	return result
}

// callBank lets the bank's own calls count.
func (w *world) callBank(string) error {
	_, err := w.call(func() (any, error) { return nil, nil }) //nolint:nilnil // the bank has its own answers
	if err != nil {
		return pfmtest.Failure(pfm.SupplierUnavailable)
	}
	return nil
}

// sendEmail is SES, which accepts every mail and reports it: Send after a while, then
// Delivery.
func (w *world) sendEmail(in *sesv2.SendEmailInput) any {
	tags := map[string][]string{}
	for _, tag := range in.EmailTags {
		tags[*tag.Name] = []string{*tag.Value}
	}
	id := w.nextID()
	if tags["cancellationId"] == nil {
		w.alerted++
		return &sesv2.SendEmailOutput{MessageId: &id}
	}
	w.mails[tags["cancellationId"][0]]++
	w.lastMail = w.now
	for i, kind := range []string{"Send", "Delivery"} {
		if w.silent {
			break
		}
		detail, err := json.Marshal(map[string]any{
			"eventType": kind, "mail": map[string]any{"messageId": id, "timestamp": w.now, "tags": tags},
		})
		must(err)
		at := w.now.Add(time.Duration(i+1) * 4 * time.Minute)
		w.schedule(at, func() func() time.Duration { return func() time.Duration { return w.reportMail(detail) } })
	}
	return &sesv2.SendEmailOutput{MessageId: &id}
}

// reportMail invokes letter-feedback with an event of SES. Lambda repeats it after a minute.
func (w *world) reportMail(detail json.RawMessage) time.Duration {
	return w.report(func(context.Context) (dispatch.Report, error) {
		report, _, err := carrier.ParseSESEvent(detail)
		return report, err
	})
}

// hearCarriers schedules the callbacks that carriers have made since.
func (w *world) hearCarriers() {
	if w.carriers == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	calls := w.mailroom().Callbacks()
	for _, call := range calls[w.heard:] {
		w.schedule(w.now, func() func() time.Duration {
			return func() time.Duration {
				return w.report(func(ctx context.Context) (dispatch.Report, error) { return w.parse(ctx, call) })
			}
		})
	}
	w.heard = len(calls)
}

func (w *world) parse(ctx context.Context, call mailroomtest.Callback) (dispatch.Report, error) {
	_, path, isFax := strings.Cut(call.URL, "/carriers/v1/fax/")
	if !isFax {
		return w.postOffice.ParseWebhook(call.Header, call.Body)
	}
	parts := strings.Split(path, "/")
	return w.fax.ParseCallback(ctx, carrier.FaxCallback{
		CancellationID: parts[0], ShipmentID: parts[1], Token: parts[2],
		ContentType: call.Header.Get("Content-Type"), Body: call.Body,
	})
}

// report invokes letter-feedback. Whoever reports does so again after a failure.
func (w *world) report(parse func(context.Context) (dispatch.Report, error)) time.Duration {
	again := time.Duration(0)
	ended := w.invoke("letter-feedback", func(ctx context.Context) {
		report, err := parse(ctx)
		if err == nil {
			err = w.feedback.Report(ctx, report)
		}
		if err != nil && !errors.Is(err, carrier.ErrNothingReported) {
			again = time.Minute
		}
	})
	if !ended || again > 0 {
		return time.Minute
	}
	return finished
}

// letters counts, by cancellation, mails and the letters and faxes that were really sent.
// Pingen's drafts do not count.
func (w *world) letters() map[string]int {
	counts := map[string]int{}
	for id, n := range w.mails {
		counts[id] += n
	}
	for _, c := range mailroom.Carriers() {
		ofCarrier := func(l mailroom.Letter) bool { return l.Carrier == c }
		sent, err := w.mailroom().Store.Letters(context.Background(), "", 10_000, ofCarrier)
		must(err)
		for _, l := range sent {
			if c == mailroom.Fax || !l.SubmittedAt.IsZero() {
				counts[l.CancellationID]++
			}
		}
	}
	return counts
}
