package console

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/notification"
)

const (
	attemptPage = 25
	// searchPages is how many pages are searched for failed attempts at once.
	searchPages, searchPage = 5, 200
)

// webhookPage is what the page of a subscription shows.
type webhookPage struct {
	Tabs Tabs
	// Health is nil if all is well. Mend leads to what explains it.
	Health *health
	Mend   Link
	Facts  []Fact
	Filter Tabs
	// Searched says how far a search went that found too little.
	Searched string
	Attempts Table
}

func (c *Console) showWebhook(call *Call, sub notification.Subscription) (Answer, error) {
	newest, err := c.newestAttempts(call, []notification.Subscription{sub})
	if err != nil {
		return nil, err
	}
	h := healthOf(sub, newest[0])
	data := webhookPage{
		Tabs: webhookTabs(call, sub.ID, ""),
		Facts: []Fact{
			{"Posts to", Code(sub.ServerURL)},
			{"Events", strings.ReplaceAll(strings.Join(sub.Events, ", "), notification.AllEvents, "All, including future ones")},
			{"Last acknowledged", At{sub.AcknowledgedAt.Time()}},
			{"Given up since then", sub.Exhausted},
			{"Active since", activeSince(sub)},
			{"Created", At{sub.CreatedAt.Time()}},
			{"Changed", At{sub.UpdatedAt.Time()}},
			{"ID", Code(sub.ID)},
		},
	}
	if h.Trouble {
		h.Text += " " + silence(sub, call.Now)
		data.Health, data.Mend = &h, mendLink(call, sub, newest[0])
	}
	if err := c.addAttempts(call, sub, &data); err != nil {
		return nil, err
	}
	page := pageOf("webhook", data)
	page.Title, page.Badge, page.Lead = shortAddress(sub.ServerURL), &h.Badge, sub.Description
	page.Crumbs = []Link{{webhooksPath, "Webhooks"}}
	return page, nil
}

func activeSince(s notification.Subscription) any {
	if s.Status != notification.SubscriptionActive {
		return nil
	}
	return At{s.ActiveSince.Time()}
}

// mendLink leads to what explains trouble, or ends it.
func mendLink(call *Call, sub notification.Subscription, newest *notification.Attempt) Link {
	base := webhooksPath + "/" + sub.ID
	switch {
	case newest != nil && newest.Outcome != notification.OutcomeAcknowledged:
		return Link{base + "/attempts/" + newest.ID, "Why, and what to do"}
	case sub.Status == notification.SubscriptionDisabled && sub.Reason != notification.ReasonByOperator &&
		call.Session.Role >= Developer:
		return Link{base + "/settings", "Activate it"}
	}
	return Link{}
}

// of returns the handler for the subscription in the address.
func (c *Console) of(do func(*Call, notification.Subscription) (Answer, error)) Handler {
	return func(call *Call) (Answer, error) {
		sub, err := c.Webhooks.Subscriptions.Get(call.Context(), call.Partner(), call.PathValue("subscription"))
		if err != nil {
			return nil, err
		}
		return do(call, sub)
	}
}

// webhookTabs are the pages of a subscription that the visitor may open.
func webhookTabs(call *Call, id, current string) Tabs {
	tabs := Tabs{Label: "Subscription"}
	for _, t := range []struct {
		path, name string
		role       Role
	}{
		{"", "Attempts", Viewer}, {"/outages", "Outages", Viewer}, {"/send", "Send event", Developer}, {"/secrets", "Secrets", Viewer},
		{"/settings", "Settings", Developer},
	} {
		if call.Session.Role >= t.role {
			tabs.Links = append(tabs.Links, Tab{Link{webhooksPath + "/" + id + t.path, t.name}, t.path == current})
		}
	}
	return tabs
}

// webhookPageOf returns a page of pages.yaml that is below the page of a subscription.
func webhookPageOf(name string, sub notification.Subscription, data any) Page {
	page := pageOf(name, data)
	page.Crumbs = []Link{{webhooksPath, "Webhooks"}, {webhooksPath + "/" + sub.ID, shortAddress(sub.ServerURL)}}
	return page
}

// addAttempts adds a page of attempts.
func (c *Console) addAttempts(call *Call, sub notification.Subscription, data *webhookPage) error {
	base, query := webhooksPath+"/"+sub.ID, call.URL.Query()
	before, failed := query.Get("before"), query.Get("failed") != ""
	if before != "" && uuid.Validate(before) != nil {
		return outcome.ErrNotFound
	}
	data.Filter = Tabs{"Which attempts", []Tab{{Link{base, "All"}, !failed}, {Link{base + "?failed=1", "Failed only"}, failed}}}
	attempts, next, err := c.attempts(call, sub, before, failed)
	if err != nil {
		return err
	}
	data.Attempts = attemptTable(call, sub.ID, attempts)
	query.Del("before")
	data.Attempts.Pages = pagesOf(base, query, before != "", next)
	if before == "" {
		data.Attempts.Live = data.Attempts.Pages.Newest
	}
	if call.Session.Role >= Developer {
		data.Attempts.Empty.Link = Link{base + "/send", "Send a simulated event"}
	}
	if failed && len(attempts) == 0 {
		data.Attempts.Empty = emptyOf("noFailure")
	}
	if failed && len(attempts) < attemptPage && next != "" {
		data.Searched = fmt.Sprintf("These are the failed ones of %d attempts. There are older ones.", searchPages*searchPage)
		data.Attempts.Empty = emptyOf("noFailureYet")
	}
	return nil
}

// attempts returns a page of attempts and where to go on. It searches some pages for failed ones.
func (c *Console) attempts(
	call *Call, sub notification.Subscription, before string, onlyFailed bool,
) (failed []notification.Attempt, next string, err error) {
	if !onlyFailed {
		return c.Webhooks.Subscriptions.Attempts(call.Context(), call.Partner(), sub.ID, attemptPage, before)
	}
	next = before
	for range searchPages {
		var page []notification.Attempt
		page, next, err = c.Webhooks.Subscriptions.Attempts(call.Context(), call.Partner(), sub.ID, searchPage, next)
		if err != nil {
			return nil, "", err
		}
		for _, a := range page {
			if a.Outcome == notification.OutcomeAcknowledged {
				continue
			}
			if failed = append(failed, a); len(failed) == attemptPage {
				return failed, a.ID, nil
			}
		}
		if next == "" {
			break
		}
	}
	return failed, next, nil
}

func attemptTable(call *Call, subscription string, attempts []notification.Attempt) Table {
	table := tableOf("attempts")
	followed := map[string]int{}
	for _, a := range attempts {
		followed[a.EventID] = max(followed[a.EventID], a.Number)
		table.Rows = append(table.Rows, []any{
			Link{webhooksPath + "/" + subscription + "/attempts/" + a.ID, a.EventType}, a.StartedAt.Time(),
			Values{outcomeBadge(a), Soft(more(a))}, a.Number, took(a.Duration), nextAttempt(a, call.Now, followed[a.EventID] > a.Number),
		})
	}
	return table
}

// more is what the badge of an attempt's outcome does not say.
func more(a notification.Attempt) string {
	if a.Outcome == notification.OutcomeHTTPError || a.Outcome == notification.OutcomeRedirectRefused {
		return ""
	}
	return a.Detail
}

// nextAttempt says when the next attempt after this one is. wasMade says that it is in the list.
func nextAttempt(a notification.Attempt, now time.Time, wasMade bool) any {
	switch {
	case a.Outcome == notification.OutcomeAcknowledged:
		return nil
	case wasMade:
		return Soft("Made: see above")
	case a.NextAttemptAt.IsZero():
		return Badge{Bad, "Given up"}
	case a.NextAttemptAt.Time().After(now):
		return a.NextAttemptAt.Time()
	}
	return Soft("Planned for " + inUTC(a.NextAttemptAt.Time()))
}

func took(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// delivery returns the delivery of an event and whether there is one.
func (c *Console) delivery(call *Call, subscription, event string) (notification.Delivery, bool, error) {
	d, err := c.Webhooks.Deliveries.Delivery(call.Context(), call.Partner(), subscription, event)
	if isNotFound(err) {
		return notification.Delivery{}, false, nil
	}
	return d, err == nil, err
}

// body returns what was posted for an event, or nil if nothing keeps it. The delivery does
// while it is pending, and attempts do outside of production; the feed keeps the data.
func (c *Console) body(
	call *Call, event string, d notification.Delivery, attempts ...notification.Attempt,
) (*Block, error) {
	for _, a := range attempts {
		if len(a.Payload) > 0 {
			return new(bodyBlock(a.Payload)), nil
		}
	}
	if len(d.Payload) > 0 {
		return new(bodyBlock(d.Payload)), nil
	}
	e, err := c.eventIfKept(call, event)
	if e.ID == "" {
		return nil, err
	}
	return new(dataBlock(e)), nil
}

// eventIfKept returns an event, or the zero value if the console does not keep it.
func (c *Console) eventIfKept(call *Call, id string) (feed.Event, error) {
	e, err := c.Past.Event(call.Context(), call.Partner(), id)
	if errors.Is(err, outcome.ErrNotFound) {
		return feed.Event{}, nil
	}
	return e, err
}
