package console

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm/transaction"
)

const usersPath = Path + "/users"

func (c *Console) showUsers(call *Call) (Answer, error) {
	page := pageOf("users")
	page.Find = formOf("findUser", usersPath, call.URL.Query())
	if id := asked(call, "id"); id != "" {
		user, err := c.findUser(call, id)
		if !errors.Is(err, outcome.ErrNotFound) {
			return Redirect{To: usersPath + "/" + url.PathEscape(string(user.Owner.ID))}, err
		}
		page.Find.Fields[0].Problem = "You have no user with this ID. Perhaps it was erased, or it is a user of another environment."
	}
	err := c.list(call, &page, recent{
		filter: "filterUsers", fits: isOfType, about: func(e feed.Event) string { return string(e.User) },
		row: func(call *Call, e feed.Event) ([]any, error) {
			to, err := c.nameOf(call, e.User)
			story := tell(e)
			return []any{to, Link{eventsPath + "/" + e.ID, e.Type}, e.SeenAt.Time(), Pair{story.Means, story.Next}}, err
		},
	})
	return page, err
}

// nameOf links to a user, by the external ID if there is one.
func (c *Console) nameOf(call *Call, id owner.UserID) (any, error) {
	u, err := c.user(call, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return "A user who was erased since", nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), cmp.Or(u.ExternalID, string(id))}, err
}

func (c *Console) showUser(call *Call) (Answer, error) {
	user, err := c.findUser(call, call.PathValue("user"))
	if err != nil {
		return nil, err
	}
	now, err := c.timeOf(call, user.Owner)
	if err != nil {
		return nil, err
	}
	here, query := usersPath+"/"+url.PathEscape(string(user.Owner.ID)), call.URL.Query()
	page := pageOf("user")
	page.Title = strings.TrimSpace("User " + user.ExternalID)
	id := string(user.Owner.ID)
	page.Links = []Link{
		{connectionsPath + "?find=" + id, "Connections"}, {cancellationsPath + "?find=" + id, "Cancellations"},
	}
	if c.simulates() {
		page.Links = append(page.Links, Link{clockPath + "/" + id, "Clock"})
	}
	page.Filter = formOf("filterUser", here, query)
	kind := page.Filter.Fields[0].Value
	from, before := spanOf(call, &page.Filter.Fields[1])
	folded := map[string]int{} // number of routine events by day and type
	events, next, err := newestFitting(c.eventsOf(call, user.Owner), from, before, pastPage, func(e feed.Event) bool {
		if kind != "" || !feed.IsRoutine(e.Type) {
			return isOfType(e, kind)
		}
		folded[foldOf(e)]++
		return folded[foldOf(e)] == 1
	})
	if err != nil {
		return nil, err
	}
	when := func(e feed.Event) any { return At{e.OccurredAt.Time(), now} }
	if page.List.Rows, err = c.eventRows(call, events, when); err != nil {
		return nil, err
	}
	for i, e := range events {
		if n := folded[foldOf(e)]; n > 1 && kind == "" {
			day := e.OccurredAt.Time().UTC().Format(dayLayout)
			all := url.Values{"type": {e.Type}, "day": {day}}
			page.List.Rows[i] = []any{
				day, Link{here + "?" + all.Encode(), fmt.Sprintf("%d × %s", n, e.Type)}, storyOf(e.Type).Means, nil,
			}
		}
	}
	page.List.Pages = pagesOf(here, query, next)
	if next != "" && len(events) < pastPage {
		page.Note = "Older events were not searched yet."
	}
	page.Facts = Facts{
		{"External ID", Code(user.ExternalID)}, {"User ID", Code(user.Owner.ID)}, {"Created", At{Time: user.CreatedAt}},
		{"Country, language", user.CountryCode + ", " + user.LanguageCode},
	}
	if isAhead(call.Now, now) {
		page.Facts = append(page.Facts, Fact{"The user's time", At{Time: now}.utc()})
	}
	page.Charts, err = c.months(call, user.Owner, now)
	return page, err
}

// foldOf is the key under which routine events share a row: day and type. It is "" for other events.
func foldOf(e feed.Event) string {
	if !feed.IsRoutine(e.Type) {
		return ""
	}
	return e.OccurredAt.Time().UTC().Format(dayLayout) + e.Type
}

// months returns charts of the user's last twelve months: the spending, if the visitor may see it, and the stored
// events about letters, consents and callbacks.
func (c *Console) months(call *Call, user owner.User, now time.Time) ([]Bars, error) {
	const months, most, format = 12, 200, "Jan 2006"
	now = now.UTC()
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, 1-months, 0)
	year := make(feed.Overview, months)
	for i := range year {
		year[i] = feed.Point{At: first.AddDate(0, i, 0), Counts: feed.Counts{}}
	}
	monthOf := func(t time.Time) feed.Counts {
		return year[min((t.Year()-first.Year())*12+int(t.Month()-first.Month()), months-1)].Counts
	}
	events, _, err := newestFitting(c.eventsOf(call, user), first, "", most, func(e feed.Event) bool {
		return !feed.IsRoutine(e.Type) && !e.IsSimulated
	})
	if err != nil {
		return nil, err
	}
	deliveries, err := c.deliveriesOf(call, events)
	if err != nil {
		return nil, err
	}
	for i, e := range events {
		counts := monthOf(e.OccurredAt.Time().UTC())
		if counter, state := feed.Entered(e.Type); state != "" {
			counts[counter+state]++
		}
		for _, d := range deliveries[i] {
			for _, a := range d.Attempts {
				counts[feed.CountCallbacks+string(a.Outcome)]++
			}
		}
	}
	charts := []Bars{
		letterChart(year, format), connectionChart(year, format),
		callbackChart(year, format, "Callbacks, without routine events"),
	}
	if !c.simulates() {
		return charts, nil
	}
	sums, err := c.Connections.Aggregates(call.Context(), user, transaction.LevelMonth, first.Format("2006-01"),
		now.Format("2006-01"))
	if err != nil {
		return nil, err
	}
	const spent = "spent." // prefix of a currency
	for _, a := range sums {
		month, err := time.Parse("2006-01", a.ID.Month)
		if err != nil || a.ID.Merchants {
			continue
		}
		for k, tally := range a.Tallies {
			if k.Type == transaction.Expense {
				amount, _ := strconv.ParseFloat(tally.Amount.String(), 64) // a bar needs no exact amount
				monthOf(month)[spent+k.Currency] += int(math.Abs(amount))
			}
		}
	}
	var spending []Bars
	for _, currency := range slices.Sorted(maps.Keys(year.Total().Of(spent))) {
		count := func(t feed.Counts) (all, bad int) { return t[spent+currency], 0 }
		spending = append(spending, chart(year, format, "Spending, simulated", currency, "", count))
	}
	return append(spending, charts...), nil
}
