package console

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo/owner"
	"aviso/internal/notification"
)

// listPage is a page with a list, for the template "list".
type listPage struct {
	// Find finds one thing by its ID.
	Find *Form
	Tabs Tabs
	// Of are facts about what the list is about, such as a user.
	Of     []Fact
	Filter *Form
	// Note says how far a search went that found too little.
	Note string
	List Table
}

// finder is the form that finds one thing by its ID.
func finder(call *Call, path, name, label, hint string) *Form {
	return &Form{
		ID: "find", Action: path, Search: true, Submit: "find",
		Fields: []Field{{
			Name: name, Label: label, Hint: hint, Kind: "search", Value: asked(call, name), Complete: "off", Required: true,
		}},
	}
}

const (
	// pastPage is how many requests or events a page has.
	pastPage = 50
	// searchReads is how many pages of searchRead events are searched for those that fit.
	searchReads, searchRead = 5, 200

	dayLayout = "2006-01-02"
)

// recent is a list of what happened to whomever, the newest first.
type recent struct {
	path    string
	choice  Field // the filter beside that of the day: by type or by state
	columns []string
	// fits reports whether an event belongs into the list, and whether it is what was chosen.
	fits func(e feed.Event, chosen string) bool
	// about is what a row is about: a page has one row for it. If nil, each event has a row.
	about func(feed.Event) string
	row   func(call *Call, e feed.Event) ([]any, error)
}

// typeChoice chooses events by their type.
func typeChoice() Field {
	f := Field{Name: "type", Label: "Type", Kind: "choice", Options: []Option{{"", "All but routine"}}}
	for _, t := range notification.EventTypes() {
		f.Options = append(f.Options, Option{t.Type, t.Type})
	}
	return f
}

func isOfType(e feed.Event, chosen string) bool { return chosen == "" || e.Type == chosen }

// stateChoice chooses events by the state that was entered. A value may be several states.
func stateChoice(options ...Option) Field {
	return Field{Name: "state", Label: "State", Kind: "choice", Options: append([]Option{{"", "Any"}}, options...)}
}

// isOneOf reports whether chosen, which may be several states or empty for all, has a state.
func isOneOf(state, chosen string) bool {
	return state != "" && (chosen == "" || slices.Contains(strings.Split(chosen, ","), state))
}

// list fills a page with the newest events that fit.
func (c *Console) list(call *Call, data *listPage, l recent) error {
	query := call.URL.Query()
	l.choice.Value = query.Get(l.choice.Name)
	day, simulated := query.Get("day"), query.Get("simulated")
	filter := Form{ID: "filter", Action: l.path, Search: true, Submit: "filter", Fields: []Field{
		l.choice, {Name: "day", Label: "Day (UTC)", Kind: "date", Value: day},
	}}
	if l.about == nil {
		filter.Fields = append(filter.Fields, Field{
			Name: "simulated", Label: "Simulated", Kind: "choice", Value: simulated,
			Options: []Option{{"", "Shown"}, {"no", "Hidden"}, {"only", "Only these"}},
		})
	}
	from, before := spanOf(call, &filter.Fields[1])
	seen := map[string]bool{}
	fits := func(e feed.Event) bool {
		hidden := e.IsSimulated && (simulated == "no" || l.about != nil) || !e.IsSimulated && simulated == "only"
		if hidden || !l.fits(e, l.choice.Value) {
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
	events, next, err := newestFitting(c.allEvents(call, feed.IsRoutine(l.choice.Value)), from, before, pastPage, fits)
	if err != nil {
		return err
	}
	rows, err := ofEach(events, func(e feed.Event) ([]any, error) { return l.row(call, e) })
	if err != nil {
		return err
	}
	data.Filter, data.List.Rows, data.List.Columns = &filter, rows, l.columns
	isFiltered := l.choice.Value != "" || day != "" || simulated != ""
	query.Del("before")
	data.List.Pages = pagesOf(l.path, query, call.URL.Query().Has("before"), next)
	if !data.List.Pages.Later && day == "" {
		data.List.Live = data.List.Pages.Newest
	}
	switch {
	case next != "" && len(events) < pastPage:
		data.Note = "Older events were not searched yet."
		data.List.Empty = emptyOf("noFitYet")
	case isFiltered:
		data.List.Empty = emptyOf("noFit")
		data.List.Empty.Link = Link{l.path, "Show all"}
	}
	return nil
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

// events is a list of events: how to read it, and the time and position of an event in it.
type events struct {
	page     func(limit int, position string) ([]feed.Event, string, error)
	at       func(feed.Event) time.Time
	position func(feed.Event) string
}

// allEvents are those of all users, as they were seen.
func (c *Console) allEvents(call *Call, routine bool) events {
	return events{
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Past.Events(call.Context(), call.Partner(), routine, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.SeenAt.Time() }, position: feed.Event.Position,
	}
}

// eventsOf are those of a user, by the user's time.
func (c *Console) eventsOf(call *Call, user owner.User) events {
	return events{
		page: func(limit int, position string) ([]feed.Event, string, error) {
			return c.Past.Timeline(call.Context(), user, limit, position)
		},
		at: func(e feed.Event) time.Time { return e.OccurredAt.Time() }, position: feed.Event.OwnPosition,
	}
}

// newestFitting returns the newest events that fit, and where to go on.
func newestFitting(
	in events, from time.Time, before string, want int, fits func(feed.Event) bool,
) (found []feed.Event, next string, err error) {
	next = before
	for range searchReads {
		var page []feed.Event
		page, next, err = in.page(searchRead, next)
		if err != nil {
			return nil, "", err
		}
		for _, e := range page {
			if in.at(e).Before(from) {
				return found, "", nil
			}
			if !fits(e) {
				continue
			}
			if found = append(found, e); len(found) == want {
				return found, in.position(e), nil
			}
		}
		if next == "" {
			break
		}
	}
	return found, next, nil
}

// pagesOf are the links below a list at an address.
func pagesOf(path string, query url.Values, later bool, next string) Pages {
	p := Pages{Later: later, Newest: path}
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
	data := listPage{List: tableOf("events")}
	err := c.list(call, &data, recent{
		path: eventsPath, choice: typeChoice(), columns: data.List.Columns, fits: isOfType,
		row: func(call *Call, e feed.Event) ([]any, error) {
			rows, err := c.eventRows(call, []feed.Event{e}, func(e feed.Event) any { return e.SeenAt.Time() })
			if err != nil {
				return nil, err
			}
			return slices.Insert(rows[0], 2, userCell(e.User)), nil
		},
	})
	return pageOf("events", data), err
}

// userCell leads to a user.
func userCell(id owner.UserID) any {
	if id == "" {
		return nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), short(string(id))}
}

// Past has what happened, as the feed has seen it. What there is none of, or no longer, is
// outcome.ErrNotFound. Pages go on from the position that the page before ended with.
type Past interface {
	Overview(ctx context.Context, partner owner.PartnerID, window feed.Window) (feed.Overview, error)
	Requests(
		ctx context.Context, partner owner.PartnerID, onlyFailed bool, limit int, position string,
	) ([]feed.Request, string, error)
	// Find finds a trace by its ID or the ID of a request.
	Find(ctx context.Context, partner owner.PartnerID, id string) (feed.Trace, error)
	Timeline(ctx context.Context, user owner.User, limit int, position string) ([]feed.Event, string, error)
	// Events are those of all users, the last seen first, with or without the routine ones.
	Events(
		ctx context.Context, partner owner.PartnerID, routine bool, limit int, position string,
	) ([]feed.Event, string, error)
	Event(ctx context.Context, partner owner.PartnerID, id string) (feed.Event, error)
}
