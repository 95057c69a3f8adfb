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

// attemptParts are shown only on the page of an attempt. A part is nil if it is not stored or would not help.
type attemptParts struct {
	fate
	Advice advice
	// Said is the stored part of the response. Repeat is a signed call that repeats this one. Probe is a call by hand.
	Said, Repeat, Probe *Block
	// Again links to the page that sends an event of this type; empty if that is not possible.
	Again Link
}

func (c *Console) showAttempt(call *Call, sub notification.Subscription) (Answer, error) {
	a, err := c.Webhooks.Subscriptions.Attempt(call.Context(), call.Partner(), sub.ID, call.PathValue("attempt"))
	if err != nil {
		return nil, err
	}
	delivery, err := c.delivery(call, sub.ID, a.EventID)
	if err != nil {
		return nil, err
	}
	data := attemptParts{Advice: adviceOn(a)}
	if data.fate, err = c.fateOf(call, sub, a.EventID, delivery, []notification.Attempt{a}); err != nil {
		return nil, err
	}
	if a.Answer != "" {
		data.Said = &Block{"The answer, or its start", a.Answer}
	}
	sends := c.simulates() && call.Session.Role >= Developer
	if sends && len(a.Payload) > 0 {
		data.Repeat, err = c.repeat(call, sub, a)
	} else if data.Advice.Probe {
		data.Probe = &Block{"A call by hand, from outside of your network", probe(sub.ServerURL, a.EventID)}
	}
	if a.Outcome != notification.OutcomeAcknowledged && sends {
		data.Again = Link{webhooksPath + "/" + sub.ID + "/send?type=" + a.EventType, "Send an event like it"}
	}
	page := webhookPageOf(call, "attempt", sub, "/attempts")
	page.Title, page.Badge = fmt.Sprintf("Attempt %d of %s", a.Number, a.EventType), new(outcomeBadge(a))
	page.Facts, page.Blocks, page.More = attemptFacts(sub.ID, a), []Block{{"Headers", requestHeaders(a)}}, data
	return page, err
}

// probe is a curl command that shows what answers at an address.
func probe(address, eventID string) string {
	return "curl -i --max-time 60 -H 'Content-Type: application/json' -H 'webhook-id: " + eventID + "' -d '{}' " + quoted(address)
}

// quoted quotes a text as one word of a shell command.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func attemptFacts(subscription string, a notification.Attempt) Facts {
	event := Link{webhooksPath + "/" + subscription + "/events/" + a.EventID, "All attempts of this event"}
	var status any
	if a.HTTPStatus != 0 {
		status = a.HTTPStatus
	}
	return Facts{
		{"Started", At{Time: a.StartedAt.Time()}}, {"Took", took(a.Took())}, {"Status", status},
		{"Detail", a.Detail}, {"Event", Values{a.EventType, event}}, {"Event ID", Code(a.EventID)},
		{"Attempt ID", Code(a.ID)},
	}
}

// longestWait is more than the time between any two attempts.
const longestWait = 24 * time.Hour

const gone = "The event was given up and is not sent again. "

// fate is the future of an event. Lost is set if it is gone for good. Now makes the next attempt at once; nil if
// there is none. Body is the posted body; nil if it is no longer stored.
type fate struct {
	Next string
	Lost bool
	Now  *Form
	Body *Block
}

// fateOf returns the future of an event. If a real event was given up, it says how to read the data from the API
// instead.
func (c *Console) fateOf(
	call *Call, sub notification.Subscription, event string, d notification.Delivery, attempts []notification.Attempt,
) (f fate, err error) {
	f.Body, err = c.body(call, event, d, attempts)
	if err != nil || d.EventID == "" {
		return f, err
	}
	f.Now = retryForm(call, sub, d)
	f.Next, f.Lost = fateInWords(d, call.Now)
	if !f.Lost {
		return f, nil
	}
	e, err := c.eventIfKept(call, event)
	if e.IsSimulated {
		f.Next += "It was simulated, so you missed nothing."
		return f, err
	}
	f.Next += missed(d.EventType)
	return f, err
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

// retryForm returns the form that makes the next attempt at once; nil if there is none.
func retryForm(call *Call, sub notification.Subscription, d notification.Delivery) *Form {
	waits := d.Status == notification.DeliveryPending && d.NextAttemptAt.Time().After(call.Now)
	if !waits || sub.Status != notification.SubscriptionActive || call.Session.Role < Developer {
		return nil
	}
	form := formOf("retry", webhooksPath+"/"+sub.ID+"/events/"+d.EventID+"/retry", nil)
	form.Confirm = fmt.Sprintf(form.Confirm, d.Attempt)
	return form
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

// requestHeaders returns the headers of an attempt's request. A test compares them with those of a real call.
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
