package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/notification"
)

const (
	eventsPath = Path + "/events"
	// acknowledged is the only successful outcome of a callback.
	acknowledged = string(notification.OutcomeAcknowledged)
)

// eventRows are rows with the columns time, event, story and callbacks.
func (c *Console) eventRows(call *Call, events []feed.Event, when func(feed.Event) any) ([][]any, error) {
	deliveries, err := c.deliveriesOf(call, events)
	if err != nil {
		return nil, err
	}
	rows := make([][]any, len(events))
	for i, e := range events {
		name := Values{Link{eventsPath + "/" + url.PathEscape(e.ID), e.Type}}
		if e.IsSimulated {
			name = append(name, Badge{Neutral, "Simulated"})
		}
		name = append(name, aboutCell(e))
		story := tell(e)
		rows[i] = []any{when(e), name, Pair{story.Means, story.Next}, callbackBadges(deliveries[i])}
	}
	return rows, nil
}

// deliveriesOf returns the deliveries of each event, with their attempts.
func (c *Console) deliveriesOf(call *Call, events []feed.Event) ([][]notification.Delivery, error) {
	return ofEach(events, func(e feed.Event) ([]notification.Delivery, error) {
		return c.Webhooks.Deliveries.OfEvent(call.Context(), call.Partner(), e.ID)
	})
}

// callbackBadges counts the subscriptions by the result of their last attempt.
func callbackBadges(deliveries []notification.Delivery) (values Values) {
	count := map[Badge]int{}
	var badges []Badge
	for _, d := range deliveries {
		if len(d.Attempts) == 0 {
			continue
		}
		badge := attemptBadge(d.Attempts[len(d.Attempts)-1])
		if count[badge]++; count[badge] == 1 {
			badges = append(badges, badge)
		}
	}
	for _, badge := range badges {
		if n := count[badge]; n > 1 {
			badge.Text = fmt.Sprintf("%d × %s", n, badge.Text)
		}
		values = append(values, badge)
	}
	return values
}

// attemptBadge is the badge on the attempt's own page.
func attemptBadge(a notification.Attempt) Badge {
	badge := outcomeBadge(a)
	switch {
	case a.Outcome == notification.OutcomeAcknowledged:
		return badge
	case !a.NextAttemptAt.IsZero():
		return Badge{Waiting, badge.Text + ", retrying"}
	}
	return Badge{Bad, badge.Text + ", given up"}
}

// dataBlock shows the data of an event.
func dataBlock(e feed.Event) Block {
	return Block{"The data that your server gets", indented([]byte(e.Data))}
}

func (c *Console) showEvent(call *Call) (Answer, error) {
	e, err := c.Store.Event(call.Context(), call.Partner(), call.PathValue("event"))
	if err != nil {
		return nil, err
	}
	deliveries, err := c.Webhooks.Deliveries.OfEvent(call.Context(), call.Partner(), e.ID)
	if err != nil {
		return nil, err
	}
	names, err := c.subscriptionNames(call)
	if err != nil {
		return nil, err
	}
	story := tell(e)
	page := pageOf("event")
	page.Title, page.Lead, page.Advice = e.Type, story.Means, story
	page.Facts, page.Blocks = eventFacts(e, call.Now), []Block{dataBlock(e)}
	var attempts []notification.Attempt
	of := map[string]string{} // subscription IDs by attempt ID
	for _, d := range deliveries {
		attempts = append(attempts, d.Attempts...)
		for _, a := range d.Attempts {
			of[a.ID] = d.SubscriptionID
		}
	}
	slices.SortFunc(attempts, func(a, b notification.Attempt) int { return strings.Compare(a.ID, b.ID) })
	for _, a := range attempts {
		page.List.Rows = append(page.List.Rows, []any{
			Link{webhooksPath + "/" + of[a.ID] + "/attempts/" + a.ID, names[of[a.ID]]},
			a.StartedAt.Time(), a.Number, attemptBadge(a), took(a.Took()), a.Detail,
		})
	}
	if e.IsSimulated {
		page.Badge = &Badge{Neutral, "Simulated"}
	}
	return page, nil
}

func eventFacts(e feed.Event, now time.Time) Facts {
	facts := Facts{
		{"Event ID", Code(e.ID)},
		{"When", happened(now, e.OccurredAt.Time(), At{Time: e.OccurredAt.Time()})},
		{"User", userCell(e.User)},
	}
	if about := aboutCell(e); about != Soft("") {
		facts = append(facts, Fact{"About", about})
	}
	return append(facts, Fact{"Trace", traceLink(e.TraceID)})
}

// subscriptionNames returns the display names of the partner's subscriptions, by ID.
func (c *Console) subscriptionNames(call *Call) (map[string]string, error) {
	all, err := c.Webhooks.Subscriptions.List(call.Context(), call.Partner())
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	names := make(map[string]string, len(all))
	for _, s := range all {
		names[s.ID] = shortAddress(s.ServerURL)
	}
	return names, nil
}

// indented writes JSON for people.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
