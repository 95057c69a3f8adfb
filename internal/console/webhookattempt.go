package console

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/notification"
)

// attemptDetails is what the page of an attempt shows.
type attemptDetails struct {
	Tabs   Tabs
	Advice advice
	// Next says what happens to the event. Lost is set if it is gone for good.
	Next  string
	Lost  bool
	Facts []Fact
	// Answer is an example of an acknowledgement, Probe a call by hand; nil where they do not help.
	Answer, Probe *Block
	// Said is what the receiver answered, as far as it is kept; Repeat a signed call that repeats this
	// one. Both may be nil.
	Said, Repeat *Block
	// Again leads to where an event of this type can be sent; empty if that is not possible. Now
	// makes the next attempt at once; nil if none is waited for.
	Again Link
	Now   *Form
	// Headers and Body are what was sent. Body is nil if it is no longer kept.
	Headers Block
	Body    *Block
}

func (c *Console) showAttempt(call *Call, sub notification.Subscription) (Answer, error) {
	a, err := c.Webhooks.Subscriptions.Attempt(call.Context(), call.Partner(), sub.ID, call.PathValue("attempt"))
	if err != nil {
		return nil, err
	}
	delivery, found, err := c.delivery(call, sub.ID, a.EventID)
	if err != nil {
		return nil, err
	}
	body, err := c.body(call, a.EventID, delivery, a)
	if err != nil {
		return nil, err
	}
	data := attemptDetails{
		Tabs: webhookTabs(call, sub.ID, "/attempts"), Advice: adviceOn(a), Facts: attemptFacts(sub.ID, a),
		Headers: Block{"Headers", requestHeaders(a)}, Body: body,
	}
	if found {
		if data.Next, data.Lost, err = c.fate(call, delivery); err != nil {
			return nil, err
		}
		data.Now = retryForm(call, sub, delivery)
	}
	if a.Answer != "" {
		data.Said = &Block{"The answer, or its start", a.Answer}
	}
	if data.Advice.Answer {
		data.Answer = &Block{"An acknowledgement", acknowledgement}
	}
	if c.simulates() && call.Session.Role >= Developer && len(a.Payload) > 0 {
		if data.Repeat, err = c.repeat(call, sub, a); err != nil {
			return nil, err
		}
	} else if data.Advice.Probe {
		data.Probe = &Block{"A call by hand, from outside of your network", probe(sub.ServerURL, a.EventID)}
	}
	if a.Outcome != notification.OutcomeAcknowledged && c.simulates() && call.Session.Role >= Developer {
		data.Again = Link{webhooksPath + "/" + sub.ID + "/send?type=" + a.EventType, "Send an event like it"}
	}
	page := webhookPageOf("attempt", sub, data)
	page.Title, page.Badge = fmt.Sprintf("Attempt %d of %s", a.Number, a.EventType), new(outcomeBadge(a))
	return page, nil
}

// acknowledgement is the answer that ends a delivery.
const acknowledgement = `{"isAcknowledged": true, "timestamp": "2026-03-02T09:35:00Z"}`

// probe is a call by hand that shows what answers at an address.
func probe(address, eventID string) string {
	return "curl -i --max-time 60 -H 'Content-Type: application/json' -H 'webhook-id: " + eventID + "' -d '{}' " + quoted(address)
}

// quoted writes a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func attemptFacts(subscription string, a notification.Attempt) []Fact {
	event := Link{webhooksPath + "/" + subscription + "/events/" + a.EventID, "All attempts of this event"}
	var status any
	if a.HTTPStatus != 0 {
		status = a.HTTPStatus
	}
	return []Fact{
		{"Started", At{a.StartedAt.Time()}}, {"Took", took(a.Duration)}, {"Status", status},
		{"Detail", a.Detail}, {"Event", Values{a.EventType, event}}, {"Event ID", Code(a.EventID)}, {"Attempt ID", Code(a.ID)},
	}
}

// longestWait is more than there is between two attempts.
const longestWait = 24 * time.Hour

const gone = "The event was given up and is not sent again. "

// fate says what happens to an event, and whether it was given up. Then it says how to read what
// the event would have said, unless it was simulated.
func (c *Console) fate(call *Call, d notification.Delivery) (text string, lost bool, err error) {
	text, lost = fateInWords(d, call.Now)
	if !lost {
		return text, false, nil
	}
	e, err := c.eventIfKept(call, d.EventID)
	if e.IsSimulated {
		return text + "It was simulated, so you missed nothing.", true, err
	}
	return text + missed(d.EventType), true, err
}

func fateInWords(d notification.Delivery, now time.Time) (text string, lost bool) {
	next := d.NextAttemptAt.Time()
	switch {
	case d.Status == notification.DeliveryAcknowledged:
		return "Your server has acknowledged the event.", false
	case d.Reason == notification.ReasonSubscriptionPaused:
		return "The next attempt was due while the subscription was paused. " + gone, true
	case d.Reason == notification.ReasonSubscriptionDisabled:
		return "The next attempt was due while the subscription was disabled. " + gone, true
	case d.Status == notification.DeliveryExhausted:
		return "All attempts are used up. " + gone, true
	case d.LeaseUntil.After(clock.Real(now)):
		return fmt.Sprintf("Attempt %d is being made now. It takes one minute at most.", d.Attempt), false
	case next.After(now.Add(longestWait)):
		return fmt.Sprintf("Attempt %d follows at %s, %s.", d.Attempt, inUTC(next), byUsersClock), false
	case next.After(now):
		return fmt.Sprintf("Attempt %d follows %s. If your server works again by then, nothing is lost.",
			d.Attempt, Ago(now, next)), false
	}
	return fmt.Sprintf("Attempt %d is due and waits for its turn.", d.Attempt), false
}

// retryForm returns the form that makes the next attempt at once; nil if none is waited for.
func retryForm(call *Call, sub notification.Subscription, d notification.Delivery) *Form {
	waits := d.Status == notification.DeliveryPending && d.NextAttemptAt.Time().After(call.Now)
	if !waits || sub.Status != notification.SubscriptionActive || call.Session.Role < Developer {
		return nil
	}
	return &Form{
		ID: "retry", Action: webhooksPath + "/" + sub.ID + "/events/" + d.EventID + "/retry", Submit: "retry now",
		Confirm: fmt.Sprintf("This makes attempt %d at once. There is none after the third, so fix your server first.", d.Attempt),
	}
}

func (c *Console) retryNow(call *Call) (Answer, error) {
	id, event := call.PathValue("subscription"), call.PathValue("delivered")
	if err := c.Webhooks.Deliveries.RetryNow(call.Context(), call.Partner(), id, event); err != nil {
		return nil, err
	}
	return Redirect{To: fmt.Sprintf("%s/%s/events/%s?sent=%d", webhooksPath, id, event, call.Now.Unix())}, nil
}

// repeat returns a curl command that sends an attempt's request again, with a new signature.
func (c *Console) repeat(call *Call, sub notification.Subscription, a notification.Attempt) (*Block, error) {
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	again := notification.Call{EventID: a.EventID, At: clock.Real(call.Now), Body: a.Payload}
	for _, s := range secrets {
		if s.Status(again.At) != notification.SecretRevoked {
			again.Keys = append(again.Keys, s.Key)
		}
	}
	headers := http.Header{"Content-Type": {"application/json"}}
	if err := c.Webhooks.Sign(headers, again); err != nil {
		return nil, err
	}
	lines := []string{"curl -i --max-time 60"}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		lines = append(lines, "-H "+quoted(strings.ToLower(name)+": "+headers.Get(name)))
	}
	lines = append(lines, "--data-binary "+quoted(string(a.Payload)), quoted(sub.ServerURL))
	return &Block{"The same call by hand, signed for the next five minutes", strings.Join(lines, " \\\n  ")}, nil
}

// requestHeaders returns the headers that an attempt was sent with. A test compares them with
// those of a call.
func requestHeaders(a notification.Attempt) string {
	return strings.Join([]string{
		"Accept: application/json",
		"Accept-Encoding: identity",
		"Content-Type: application/json",
		"User-Agent: Aviso",
		"traceparent: (not stored)",
		"webhook-id: " + a.EventID,
		fmt.Sprintf("webhook-timestamp: %d", a.StartedAt.Time().Unix()),
		"webhook-signature: (not stored)",
	}, "\n")
}

func bodyBlock(body []byte) Block {
	return Block{"Body, indented here; it is sent in one line, and the signature covers that line", indented(body)}
}
