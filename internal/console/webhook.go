package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/console/feed"
	"aviso/internal/notification"
	"aviso/internal/outcome"
)

// attemptPage is the number of attempts on a page.
const attemptPage = 25

// webhookParts are shown only on the page of a subscription.
type webhookParts struct {
	// Health is nil if all is well. Mend links to an explanation of the problem.
	Health *health
	Mend   Link
	Which  Tabs
}

func (c *Console) showWebhook(call *Call, sub notification.Subscription) (Answer, error) {
	read, err := c.recentOf(call, recentAttempts, sub)
	if err != nil {
		return nil, err
	}
	recent, newest := read[0], newestOf(read[0])
	acknowledged := lastAcknowledged(sub, recent)
	h, failed := healthOf(sub, newest), call.URL.Query().Get("failed") != ""
	page := webhookPageOf(call, "webhook", sub, "")
	page.Title, page.Badge, page.Lead = shortAddress(sub.ServerURL), &h.Badge, sub.Description
	page.Crumbs = page.Crumbs[:1]
	page.Facts = Facts{
		{"Posts to", Code(sub.ServerURL)},
		{"Events", strings.ReplaceAll(strings.Join(sub.Events, ", "), notification.AllEvents, "All, including future ones")},
		{"Last acknowledged", At{Time: acknowledged}},
		{"Given up since then", sub.Exhausted},
		{"Active since", activeSince(sub)},
		{"Created", At{Time: sub.CreatedAt.Time()}},
		{"Changed", At{Time: sub.UpdatedAt.Time()}},
		{"ID", Code(sub.ID)},
	}
	page.Facts = slices.Insert(page.Facts, 2, recentFacts(recent, call.Now)...)
	page.Form = sendWaitingForm(call, sub, recent)
	base := webhooksPath + "/" + sub.ID
	more := webhookParts{Which: Tabs{
		"Which attempts", []Tab{{Link{base, "All"}, !failed}, {Link{base + "?failed=1", "Failed only"}, failed}},
	}}
	if h.Trouble {
		h.Text += " " + silence(acknowledged, call.Now)
		more.Health, more.Mend = &h, mendLink(call, sub, newest)
	}
	page.More = more
	err = c.addAttempts(call, sub, &page, failed)
	return page, err
}

func activeSince(s notification.Subscription) any {
	if s.Status != notification.SubscriptionActive {
		return nil
	}
	return At{Time: s.ActiveSince.Time()}
}

// mendLink links to the page that explains or solves a problem.
func mendLink(call *Call, sub notification.Subscription, newest notification.Attempt) Link {
	base := webhooksPath + "/" + sub.ID
	switch {
	case newest.ID != "" && newest.Outcome != notification.OutcomeAcknowledged:
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

// webhookTabs are the pages of a subscription for the visitor's role.
func webhookTabs(call *Call, id, current string) Tabs {
	tabs := Tabs{Label: "Subscription"}
	for _, t := range []struct {
		path, name string
		role       Role
	}{
		{"", "Attempts", Viewer}, {"/outages", "Outages", Viewer}, {"/send", "Send event", Developer},
		{"/secrets", "Secrets", Viewer},
		{"/settings", "Settings", Developer},
	} {
		if call.Session.Role >= t.role {
			tabs.Links = append(tabs.Links, Tab{Link{webhooksPath + "/" + id + t.path, t.name}, t.path == current})
		}
	}
	return tabs
}

// webhookPageOf returns a page of pages.yaml below the page of a subscription, with the tabs.
func webhookPageOf(call *Call, name string, sub notification.Subscription, tab string) Page {
	page := pageOf(name)
	page.Crumbs = []Link{{webhooksPath, "Webhooks"}, {webhooksPath + "/" + sub.ID, shortAddress(sub.ServerURL)}}
	page.Tabs = webhookTabs(call, sub.ID, tab)
	return page
}

// addAttempts adds a page of attempts. To find those that a filter asks for, it searches several pages.
func (c *Console) addAttempts(call *Call, sub notification.Subscription, page *Page, onlyFailed bool) error {
	base, query := webhooksPath+"/"+sub.ID, call.URL.Query()
	before, all := query.Get("before"), c.attemptsOf(call, sub)
	if before != "" && uuid.Validate(before) != nil {
		return outcome.ErrNotFound
	}
	page.Filter = formOf("filterAttempts", base, query)
	if onlyFailed {
		page.Filter.Hidden = map[string]string{"failed": "1"}
	}
	kind, status, event := query.Get("type"), &page.Filter.Fields[1], asked(call, "event")
	class, isStatus := statusClass(status)
	isFiltered, read := onlyFailed || kind != "" || class != "" || event != "", all.page
	switch {
	case !isStatus:
		page.List.Empty = emptyOf("noFit")
		return nil
	case isFiltered:
		page.List.Empty = emptyOf("noFit")
		read = func(limit int, position string) ([]notification.Attempt, string, error) {
			return newestFitting(all, time.Time{}, position, limit, func(a notification.Attempt) bool {
				return (!onlyFailed || a.Outcome != notification.OutcomeAcknowledged) && (kind == "" || a.EventType == kind) &&
					strings.HasPrefix(strconv.Itoa(a.HTTPStatus), class) && (event == "" || strings.EqualFold(a.EventID, event))
			})
		}
	case call.Session.Role >= Developer:
		page.List.Empty.Link = Link{base + "/send", "Send a simulated event"}
	}
	if onlyFailed {
		page.List.Empty = emptyOf("noFailure")
	}
	attempts, next, err := read(attemptPage, before)
	page.List.Rows, page.List.Pages = attemptRows(call, sub.ID, attempts), pagesOf(base, query, next)
	if before == "" {
		page.List.Live = page.List.Pages.Newest
	}
	if isFiltered && len(attempts) < attemptPage && next != "" {
		page.Note = fmt.Sprintf("These are the ones that fit of %d attempts. There are older ones.", all.pages*all.perPage)
		page.List.Empty = emptyOf("noFailureYet")
	}
	return err
}

func attemptRows(call *Call, subscription string, attempts []notification.Attempt) (rows [][]any) {
	followed := map[string]int{}
	for _, a := range attempts {
		followed[a.EventID] = max(followed[a.EventID], a.Number)
		rows = append(rows, []any{
			Link{webhooksPath + "/" + subscription + "/attempts/" + a.ID, a.EventType}, a.StartedAt.Time(),
			Values{outcomeBadge(a), Soft(more(a))}, a.Number, took(a.Took()),
			nextAttempt(a, call.Now, followed[a.EventID] > a.Number),
		})
	}
	return rows
}

// more is the part of an attempt's outcome that its badge does not show.
func more(a notification.Attempt) string {
	if a.Outcome == notification.OutcomeHTTPError || a.Outcome == notification.OutcomeRedirectRefused {
		return ""
	}
	return a.Detail
}

// nextAttempt says when the attempt after this one is due. wasMade says that it is in the list.
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

// delivery returns an event's delivery, or the zero value if there is none.
func (c *Console) delivery(call *Call, subscription, event string) (notification.Delivery, error) {
	d, err := c.Webhooks.Deliveries.Delivery(call.Context(), call.Partner(), subscription, event)
	if isNotFound(err) {
		return notification.Delivery{}, nil
	}
	return d, err
}

// body returns the body that was posted for an event, or nil if it is no longer stored. A pending delivery has it,
// and so do attempts outside of production. The feed has the data.
func (c *Console) body(
	call *Call, event string, d notification.Delivery, attempts []notification.Attempt,
) (*Block, error) {
	posted := d.Payload
	if i := slices.IndexFunc(attempts, func(a notification.Attempt) bool { return len(a.Payload) > 0 }); i >= 0 {
		posted = attempts[i].Payload
	}
	if len(posted) > 0 {
		return &Block{
			"Body, indented here; it is sent in one line, and the signature covers that line", indented(posted),
		}, nil
	}
	e, err := c.eventIfKept(call, event)
	if e.ID == "" {
		return nil, err
	}
	return new(dataBlock(e)), nil
}

// eventIfKept returns an event, or the zero value if the console does not keep it.
func (c *Console) eventIfKept(call *Call, id string) (feed.Event, error) {
	e, err := c.Store.Event(call.Context(), call.Partner(), id)
	if errors.Is(err, outcome.ErrNotFound) {
		return feed.Event{}, nil
	}
	return e, err
}
