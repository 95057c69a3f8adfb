package console

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/console/feed"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

const (
	// pastPage is how many requests or events a page has.
	pastPage = 50

	dayLayout = "2006-01-02"
)

// recent is a list of what happened to whomever, the newest first.
type recent struct {
	// filter is the form that chooses by type or by state, and then by day.
	filter string
	// fits reports whether an event belongs into the list, and whether it is what was chosen.
	fits func(e feed.Event, chosen string) bool
	// about is what a row is about: a page has one row for it. If nil, each event has a row.
	about func(feed.Event) string
	row   func(call *Call, e feed.Event) ([]any, error)
}

func isOfType(e feed.Event, chosen string) bool { return chosen == "" || e.Type == chosen }

// hasEntered chooses the events that are in a counter, by the states that were entered: several, or
// empty for all.
func hasEntered(counter string) func(e feed.Event, chosen string) bool {
	return func(e feed.Event, chosen string) bool {
		in, state := feed.Entered(e.Type)
		return in == counter && (chosen == "" || slices.Contains(strings.Split(chosen, ","), state))
	}
}

// list fills a page with the newest events that fit.
func (c *Console) list(call *Call, page *Page, l recent) error {
	query := call.URL.Query()
	page.Filter = formOf(l.filter, page.Section, query)
	chosen, day, simulated := page.Filter.Fields[0].Value, query.Get("day"), query.Get("simulated")
	from, before := spanOf(call, &page.Filter.Fields[1])
	seen := map[string]bool{}
	fits := func(e feed.Event) bool {
		hidden := e.IsSimulated && (simulated == "no" || l.about != nil) || !e.IsSimulated && simulated == "only"
		if hidden || !l.fits(e, chosen) {
			return false
		}
		if l.about == nil {
			return true
		}
		about := l.about(e)
		first := about != "" && !seen[about]
		seen[about] = true
		return first
	}
	events, next, err := newestFitting(c.allEvents(call, feed.IsRoutine(chosen)), from, before, pastPage, fits)
	if err != nil {
		return err
	}
	page.List.Rows, err = ofEach(events, func(e feed.Event) ([]any, error) { return l.row(call, e) })
	page.List.Pages = pagesOf(page.Section, query, next)
	if !page.List.Pages.Later && day == "" {
		page.List.Live = page.List.Pages.Newest
	}
	switch {
	case next != "" && len(events) < pastPage:
		page.Note = "Older events were not searched yet."
		page.List.Empty = emptyOf("noFitYet")
	case chosen != "" || day != "" || simulated != "":
		page.List.Empty = emptyOf("noFit")
		page.List.Empty.Link = Link{page.Section, "Show all"}
	}
	return err
}

// ofEach returns what read returns for each of the things, some of which are read at once.
func ofEach[T, R any](things []T, read func(T) (R, error)) ([]R, error) {
	const atOnce = 10
	found := make([]R, len(things))
	var reading errgroup.Group
	reading.SetLimit(atOnce)
	for i, thing := range things {
		reading.Go(func() (err error) {
			found[i], err = read(thing)
			return err
		})
	}
	return found, reading.Wait()
}

// spanOf returns from when and before which position a page is, given the filter by day.
func spanOf(call *Call, day *Field) (from time.Time, before string) {
	before = call.URL.Query().Get("before")
	if day.Value == "" {
		return from, before
	}
	from, err := time.Parse(dayLayout, day.Value)
	if err != nil {
		day.Problem = "Write the day like 2026-03-02."
		return time.Time{}, before
	}
	return from, cmp.Or(before, from.AddDate(0, 0, 1).Format(dayLayout))
}

// reader reads a list of things, the newest first: pages of so many, up to a number of pages. It
// knows the time and the position of a thing in the list.
type reader[T any] struct {
	pages, perPage int
	page           func(limit int, position string) ([]T, string, error)
	at             func(T) time.Time
	position       func(T) string
}

// allEvents are those of all users, as they were seen.
func (c *Console) allEvents(call *Call, routine bool) reader[feed.Event] {
	return reader[feed.Event]{
		pages: 5, perPage: 200,
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Store.Events(call.Context(), call.Partner(), routine, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.SeenAt.Time() }, position: feed.Event.Position,
	}
}

// eventsOf are those of a user, by the user's time.
func (c *Console) eventsOf(call *Call, user owner.User) reader[feed.Event] {
	return reader[feed.Event]{
		pages: 5, perPage: 200,
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Store.Timeline(call.Context(), user, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.OccurredAt.Time() }, position: feed.Event.OwnPosition,
	}
}

// attemptsOf are those of a subscription.
func (c *Console) attemptsOf(call *Call, sub notification.Subscription) reader[notification.Attempt] {
	return reader[notification.Attempt]{
		pages: 5, perPage: 200,
		page: func(limit int, position string) ([]notification.Attempt, string, error) {
			return c.Webhooks.Subscriptions.Attempts(call.Context(), call.Partner(), sub.ID, limit, position)
		},
		at:       func(a notification.Attempt) time.Time { return a.StartedAt.Time() },
		position: func(a notification.Attempt) string { return a.ID },
	}
}

// newestFitting returns the newest things that fit, and where to go on.
func newestFitting[T any](
	in reader[T], from time.Time, before string, want int, fits func(T) bool,
) (found []T, next string, err error) {
	next = before
	for range in.pages {
		var page []T
		page, next, err = in.page(in.perPage, next)
		if err != nil {
			return nil, "", err
		}
		for _, thing := range page {
			if in.at(thing).Before(from) {
				return found, "", nil
			}
			if !fits(thing) {
				continue
			}
			if found = append(found, thing); len(found) == want {
				return found, in.position(thing), nil
			}
		}
		if next == "" {
			break
		}
	}
	return found, next, nil
}

// pagesOf are the links below a list at an address, given the page's query.
func pagesOf(path string, query url.Values, next string) Pages {
	p := Pages{Later: query.Get("before") != "", Newest: path}
	query.Del("before")
	if encoded := query.Encode(); encoded != "" {
		p.Newest += "?" + encoded
	}
	if next != "" {
		query.Set("before", next)
		p.Older = path + "?" + query.Encode()
	}
	return p
}

func (c *Console) showEvents(call *Call) (Answer, error) {
	page := pageOf("events")
	err := c.list(call, &page, recent{
		filter: "filterEvents", fits: isOfType,
		row: func(call *Call, e feed.Event) ([]any, error) {
			rows, err := c.eventRows(call, []feed.Event{e}, func(e feed.Event) any { return e.SeenAt.Time() })
			if err != nil {
				return nil, err
			}
			return slices.Insert(rows[0], 2, userCell(e.User)), nil
		},
	})
	return page, err
}

// userCell leads to a user.
func userCell(id owner.UserID) any {
	if id == "" {
		return nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), short(string(id))}
}
