package console

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/console/feed"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// outageReads pages of outageRead attempts are searched for outages in one request.
	outageReads, outageRead = 20, 500
	// apart is how long a receiver must work before its next failure counts as another outage.
	apart = time.Hour
	// overdue is how late an attempt may be. A later one is never made.
	overdue = 5 * time.Minute
	// maxLost is the maximum number of events on the page of an outage. The CSV file has all.
	maxLost = 200
)

// outage is a period in which a receiver acknowledged not all events. It is computed from the attempts, so it is
// visible for as long as they are kept.
type outage struct {
	// From is the first failed attempt. Ended is the first acknowledged attempt after it, or nil.
	From    clock.Real
	Ended   *notification.Attempt
	Failed  int
	Newest  notification.Attempt
	GivenUp []notification.Attempt
	// Overdue are the last attempts of events whose next attempt was not made in time.
	Overdue []notification.Attempt
}

// address is the path of an outage. It stays valid when the outage grows or ends.
func (o outage) address(subscription string) string {
	id := o.Newest.ID
	if o.Ended != nil {
		id = o.Ended.ID
	}
	return webhooksPath + "/" + subscription + "/outages/" + id
}

// outages returns the outages in the attempts before an ID, newest first, and the ID to continue before.
func (c *Console) outages(
	call *Call, sub notification.Subscription, before string,
) (found []*outage, next string, err error) {
	all := c.attemptsOf(call, sub)
	all.pages, all.perPage = outageReads, outageRead
	var ended *notification.Attempt
	seen := map[string]bool{}
	_, next, err = newestFitting(all, time.Time{}, before, 1, func(a notification.Attempt) bool {
		isLast := !seen[a.EventID]
		seen[a.EventID] = true
		if a.Outcome == notification.OutcomeAcknowledged {
			ended = &a
			return false
		}
		if n := len(found); n == 0 || ended != nil && found[n-1].From.Sub(a.StartedAt) >= apart {
			found = append(found, &outage{Ended: ended, Newest: a})
		}
		o := found[len(found)-1]
		o.From, ended = a.StartedAt, nil
		o.Failed++
		switch {
		case !isLast:
		case a.NextAttemptAt.IsZero():
			o.GivenUp = append(o.GivenUp, a)
		case a.NextAttemptAt.Add(overdue).Before(clock.Real(call.Now)):
			o.Overdue = append(o.Overdue, a)
		}
		return false
	})
	return found, next, err
}

func (c *Console) showOutages(call *Call, sub notification.Subscription) (Answer, error) {
	before := call.URL.Query().Get("before")
	if before != "" && uuid.Validate(before) != nil {
		return nil, outcome.ErrNotFound
	}
	found, next, err := c.outages(call, sub, before)
	if err != nil {
		return nil, err
	}
	base := webhooksPath + "/" + sub.ID + "/outages"
	page := webhookPageOf(call, "outages", sub, "/outages")
	page.List.Pages = pagesOf(base, url.Values{"before": {before}}, next)
	for _, o := range found {
		if err := c.settle(call, sub, o); err != nil {
			return nil, err
		}
		page.List.Rows = append(page.List.Rows, []any{
			Link{o.address(sub.ID), o.From.Time().UTC().Format("2 Jan, 15:04 UTC")}, endOf(o),
			countOf(len(o.GivenUp), "event", "events"),
			Values{outcomeBadge(o.Newest), Soft(more(o.Newest))},
		})
	}
	if next != "" {
		page.Note = fmt.Sprintf("%d attempts were searched. There are older ones.", outageReads*outageRead)
	}
	return page, nil
}

func endOf(o *outage) any {
	if o.Ended == nil {
		return Badge{Bad, "Ongoing"}
	}
	return o.Ended.StartedAt.Time()
}

// settle finds the overdue events that were given up: those that became due while the subscription was paused or
// disabled.
func (c *Console) settle(call *Call, sub notification.Subscription, o *outage) error {
	isGivenUp, err := ofEach(o.Overdue, func(a notification.Attempt) (bool, error) {
		d, err := c.delivery(call, sub.ID, a.EventID)
		return d.Status == notification.DeliveryExhausted, err
	})
	for i, a := range o.Overdue {
		if isGivenUp[i] {
			o.GivenUp = append(o.GivenUp, a)
		}
	}
	o.Overdue = nil
	slices.SortFunc(o.GivenUp, func(a, b notification.Attempt) int { return strings.Compare(b.ID, a.ID) })
	return err
}

// lostEvent is an event that was given up. The event is empty if its user was erased.
type lostEvent struct {
	notification.Attempt
	feed.Event
}

// outage returns the outage in the address, with its events.
func (c *Console) outage(call *Call, sub notification.Subscription) (o *outage, lost []lostEvent, err error) {
	a, err := c.Webhooks.Subscriptions.Attempt(call.Context(), call.Partner(), sub.ID, call.PathValue("attempt"))
	if err != nil {
		return nil, nil, err
	}
	before := ""
	if a.Outcome == notification.OutcomeAcknowledged {
		before = a.ID
	}
	found, _, err := c.outages(call, sub, before)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(found, func(o *outage) bool { return !o.From.After(a.StartedAt) })
	if i < 0 {
		return nil, nil, outcome.ErrNotFound
	}
	o = found[i]
	if o.Ended == nil && before != "" {
		o.Ended = &a
	}
	if err := c.settle(call, sub, o); err != nil {
		return nil, nil, err
	}
	lost, err = ofEach(o.GivenUp, func(given notification.Attempt) (lostEvent, error) {
		e, err := c.eventIfKept(call, given.EventID)
		return lostEvent{given, e}, err
	})
	return o, lost, err
}

func (c *Console) showOutage(call *Call, sub notification.Subscription) (Answer, error) {
	o, lost, err := c.outage(call, sub)
	if err != nil {
		return nil, err
	}
	base := webhooksPath + "/" + sub.ID
	page := webhookPageOf(call, "outage", sub, "/outages")
	page.Title, page.Badge = "Outage of "+shortAddress(sub.ServerURL), &Badge{Bad, "Ongoing"}
	page.Crumbs = append(page.Crumbs, Link{base + "/outages", "Outages"})
	page.Facts = Facts{
		{"From", At{Time: o.From.Time()}}, {"To", "Ongoing"},
		{"Attempts that failed", o.Failed}, {"Events given up", len(lost)},
		{"Last failure", Values{
			outcomeBadge(o.Newest), Soft(more(o.Newest)), Link{base + "/attempts/" + o.Newest.ID, "Why, and what to do"},
		}},
	}
	if o.Ended != nil {
		page.Facts[1].Value, page.Badge = At{Time: o.Ended.StartedAt.Time()}, &Badge{Good, "Over"}
	}
	if sub.Status != notification.SubscriptionActive {
		page.Note = "The subscription is " + strings.ToLower(string(sub.Status)) + ". What happens in that time is not sent at all, " +
			"and not listed here: see under Events."
	}
	for _, e := range lost[:min(len(lost), maxLost)] {
		name := Values{Link{base + "/attempts/" + e.Attempt.ID, e.EventType}}
		if e.IsSimulated {
			name = append(name, Badge{Neutral, "Simulated"})
		}
		page.List.Rows = append(page.List.Rows, []any{name, userCell(e.Event.User), aboutCell(e.Event), e.StartedAt.Time()})
	}
	if len(lost) > 0 {
		page.Links = []Link{{call.URL.Path + "/events.csv", "Save all as CSV"}}
	}
	if len(lost) > maxLost {
		page.Note = fmt.Sprintf("These are the newest %d of %d.", maxLost, len(lost))
	}
	missing := catchUps(lost)
	more := outageParts{Reads: readsFor(lost), Commands: c.catchUpBlock(call, missing)}
	if len(missing) > 0 {
		more.Save = Link{call.URL.Path + "/requests.csv", "Save these calls as CSV"}
	}
	page.More = more
	return page, nil
}

// outageParts are shown only on the page of an outage: the calls that replace lost events, by call and by user.
type outageParts struct {
	Reads    Table
	Commands *Block
	Save     Link
}

// readsFor lists the API calls that replace lost events.
func readsFor(lost []lostEvent) Table {
	t := tableOf("reads")
	events, users := map[string]int{}, map[string]map[owner.UserID]bool{}
	var calls []string
	for _, e := range lost {
		if e.IsSimulated {
			continue
		}
		call := missed(e.EventType)
		if events[call]++; events[call] == 1 {
			calls, users[call] = append(calls, call), map[owner.UserID]bool{}
		}
		if e.Event.User != "" {
			users[call][e.Event.User] = true
		}
	}
	for _, call := range calls {
		t.Rows = append(t.Rows, []any{Address(call), countOf(events[call], "event", "events"), len(users[call])})
	}
	return t
}

// aboutCell links to an event's connection or cancellation.
func aboutCell(e feed.Event) any {
	id := subject(e)
	area, _, _ := strings.Cut(e.Type, ".")
	switch {
	case id == "" || e.IsSimulated: // a simulated event has invented IDs
		return Soft("")
	case area == "cancellation" || area == "objection":
		return Link{cancellationsPath + "/" + url.PathEscape(id), "Cancellation " + short(id)}
	}
	return Link{connectionsPath + "/" + url.PathEscape(id), "Connection " + short(id)}
}

func (c *Console) saveOutage(call *Call, sub notification.Subscription) (Answer, error) {
	_, lost, err := c.outage(call, sub)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{
		"eventId", "eventType", "occurredAt", "userId", "objectId", "isSimulated", "lastAttemptAt", "outcome",
		"httpStatus", "read",
	})
	for _, e := range lost {
		occurred := ""
		if !e.OccurredAt.IsZero() {
			occurred = e.OccurredAt.Time().UTC().Format(time.RFC3339)
		}
		_ = w.Write([]string{
			e.EventID, e.EventType, occurred, string(e.Event.User), subject(e.Event), strconv.FormatBool(e.IsSimulated),
			e.StartedAt.Time().UTC().Format(time.RFC3339), string(e.Outcome), strconv.Itoa(e.HTTPStatus), missed(e.EventType),
		})
	}
	w.Flush()
	return File{Type: "text/csv; charset=utf-8", Content: b.Bytes(), Name: "given-up-events.csv", Save: true}, w.Error()
}
