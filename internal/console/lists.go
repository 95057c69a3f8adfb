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
	// pastPage is the number of requests or events on a page.
	pastPage = 50

	dayLayout = "2006-01-02"
)

// recent is a list of events of all users, newest first.
type recent struct {
	// filter is the form that filters by type or state, and by day.
	filter string
	// fits reports whether an event belongs in the list and matches the chosen type or state.
	fits func(e feed.Event, chosen string) bool
	// about returns the ID of an event's object. The list has one row per object; if nil, one per event.
	about func(feed.Event) string
	row   func(call *Call, e feed.Event) ([]any, error)
}

func isOfType(e feed.Event, chosen string) bool { return chosen == "" || e.Type == chosen }

// hasEntered matches events of a counter by the entered state. chosen may be a list of states; if empty, all match.
func hasEntered(counter string) func(e feed.Event, chosen string) bool {
	return func(e feed.Event, chosen string) bool {
		in, state := feed.Entered(e.Type)
		return in == counter && (chosen == "" || slices.Contains(strings.Split(chosen, ","), state))
	}
}

// list fills a page with the newest matching events.
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

// ofEach calls read for each of the things, for several at once.
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

// spanOf returns the start of a page's period and the position before it, given the day filter.
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

// reader reads a list, newest first: up to pages pages of perPage things. at and position return a thing's time and
// position in the list.
type reader[T any] struct {
	pages, perPage int
	page           func(limit int, position string) ([]T, string, error)
	at             func(T) time.Time
	position       func(T) string
}

// allEvents reads the events of all users, in the order of arrival.
func (c *Console) allEvents(call *Call, routine bool) reader[feed.Event] {
	return reader[feed.Event]{
		pages: 5, perPage: 200,
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Store.Events(call.Context(), call.Partner(), routine, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.SeenAt.Time() }, position: feed.Event.Position,
	}
}

// eventsOf reads the events of a user, in the user's time.
func (c *Console) eventsOf(call *Call, user owner.User) reader[feed.Event] {
	return reader[feed.Event]{
		pages: 5, perPage: 200,
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Store.Timeline(call.Context(), user, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.OccurredAt.Time() }, position: feed.Event.OwnPosition,
	}
}

// attemptsOf reads the attempts of a subscription.
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

// newestFitting returns the newest matching things, and the position of the next page.
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

// pagesOf returns the links below a list, given the page's query.
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

// userCell links to a user.
func userCell(id owner.UserID) any {
	if id == "" {
		return nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), short(string(id))}
}
