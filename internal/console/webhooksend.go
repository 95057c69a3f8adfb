package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// simulates reports whether this environment can simulate events.
func (c *Console) simulates() bool { return c.Stage != config.Production }

func (c *Console) showSend(call *Call, sub notification.Subscription) (Answer, error) {
	return c.sendForm(call, sub, url.Values{"eventType": {call.URL.Query().Get("type")}}, nil), nil
}

// sendForm returns the page with these values and the faults of a refusal.
func (c *Console) sendForm(call *Call, sub notification.Subscription, values url.Values, refusal *apierror.Error) Page {
	page := webhookPageOf(call, "send", sub, "/send")
	base := webhooksPath + "/" + sub.ID
	form := formOf("send", base+"/send", values)
	form.Fields[0].Options = typeOptions(sub.Wants)
	page.Problem, page.Status = form.judge(refusal)
	switch {
	case !c.simulates():
		page.List.Empty = emptyOf("notInProduction")
	case sub.Status != notification.SubscriptionActive:
		page.List.Empty = emptyOf("notActive")
		page.List.Empty.Link = Link{base + "/settings", "Activate it"}
	default:
		page.Form = form
	}
	return page
}

func (c *Console) sendEvent(call *Call, sub notification.Subscription) (Answer, error) {
	kind, user := call.Form.Get("eventType"), strings.ToLower(strings.TrimSpace(call.Form.Get("userId")))
	noSuchUser := apierror.Invalid(apierror.Field{Pointer: "/userId", Detail: "You have no user with this ID."})
	if isUser := uuid.Validate(user) == nil; user != "" && !isUser {
		return c.sendForm(call, sub, call.Form, noSuchUser), nil
	}
	event, err := c.Webhooks.Simulator.Simulate(call.Context(), call.Partner(), notification.Simulation{
		EventType: kind, SubscriptionID: sub.ID, User: owner.UserID(user),
		Data: json.RawMessage(strings.TrimSpace(call.Form.Get("data"))),
	}, nil)
	if refusal, ok := errors.AsType[*apierror.Error](err); ok {
		if refusal.Code == apierror.UserNotFound {
			refusal = noSuchUser
		}
		return c.sendForm(call, sub, call.Form, refusal), nil
	}
	if err != nil {
		return nil, err
	}
	call.Note(sub.ID + " " + kind + " " + event.ID)
	sent := strconv.FormatInt(call.Now.Unix(), 10)
	return Redirect{To: webhooksPath + "/" + sub.ID + "/events/" + event.ID + "?sent=" + sent}, nil
}

// followFor is how long the page of an event keeps reloading.
const followFor = 3 * time.Minute

// follow makes the page reload after two seconds, to show progress. Such a page needs a link that stops it.
func (c *Call) follow() { c.w.Header().Set("Refresh", "2") }

// deliveryParts are shown only on the page of a delivery. Stop is the address of the page without reloading; empty if
// it does not reload.
type deliveryParts struct {
	fate
	Stop string
}

// showDelivery shows the delivery of an event. If the event was just sent from here, the page reloads until the first
// attempt has ended.
func (c *Console) showDelivery(call *Call, sub notification.Subscription) (Answer, error) {
	id := call.PathValue("delivered")
	d, err := c.Webhooks.Deliveries.Delivery(call.Context(), call.Partner(), sub.ID, id)
	attempts := d.Attempts
	if err != nil && !isNotFound(err) {
		return nil, err
	}
	sent, isSent := sentAt(call)
	if d.EventID == "" && !isSent {
		return nil, outcome.ErrNotFound
	}
	data := deliveryParts{}
	if data.fate, err = c.fateOf(call, sub, id, d, attempts); err != nil {
		return nil, err
	}
	page := webhookPageOf(call, "delivery", sub, "/events")
	page.Title = cmp.Or(d.EventType, page.Title)
	page.Facts = eventSteps(webhooksPath+"/"+sub.ID, d, attempts)
	page.List.Rows = attemptRows(call, sub.ID, attempts)
	called := len(attempts) > 0 && !attempts[len(attempts)-1].StartedAt.Time().Before(sent)
	switch {
	case isSent && !called && call.Now.Sub(sent) < followFor && d.Status != notification.DeliveryExhausted:
		call.follow()
		page.Lead = "This page reloads every two seconds until your server was called, for three minutes at most."
		data.Stop = call.URL.Path + "?sent=0"
	case isSent && !called:
		page.Lead = "Your server was not called yet. Many events may be waiting before this one. Reload the page later."
	}
	page.More = data
	return page, nil
}

// sentAt returns when the event was sent, from the page's address.
func sentAt(call *Call) (time.Time, bool) {
	seconds, err := strconv.ParseInt(call.URL.Query().Get("sent"), 10, 64)
	return time.Unix(seconds, 0), err == nil
}

// eventSteps show the progress of an event. base is the path of its subscription.
func eventSteps(base string, d notification.Delivery, attempts []notification.Attempt) Facts {
	done, waits := Badge{Good, "Done"}, Badge{Neutral, "Waiting"}
	steps := Facts{
		{"1. Accepted", done}, {"2. Put into the queue", waits}, {"3. Server called", waits}, {"4. Acknowledged", waits},
	}
	if d.EventID != "" {
		steps[1].Value = done
	}
	if len(attempts) > 0 {
		last := attempts[len(attempts)-1]
		steps[2].Value = Values{done, took(last.Took())}
		end := Values{outcomeBadge(last), Soft(more(last))}
		if last.Outcome != notification.OutcomeAcknowledged {
			end = append(end, Link{base + "/attempts/" + last.ID, "Why, and what to do"})
		}
		steps[3].Value = end
	}
	if d.Status == notification.DeliveryExhausted && len(attempts) == 0 {
		steps[2].Value = Badge{Bad, "Never called"}
	}
	return steps
}
