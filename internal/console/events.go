package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/sync/errgroup"

	"aviso/internal/console/past"
	"aviso/internal/owner"
)

const (
	eventsPath = Path + "/events"

	// attemptsAtOnce is for how many events a page looks for attempts at the same time.
	attemptsAtOnce = 10
)

func (c *Console) eventRoutes() []Route {
	return []Route{{Method: http.MethodGet, Path: eventsPath + "/{event}", Role: Viewer, Do: c.showEvent}}
}

// eventRows are rows of when, event, what happened, and callbacks.
func (c *Console) eventRows(call *Call, events []past.Event) ([][]any, error) {
	attempts := make([][]past.Attempt, len(events))
	var reading errgroup.Group
	reading.SetLimit(attemptsAtOnce)
	for i, e := range events {
		reading.Go(func() (err error) {
			attempts[i], err = c.Past.Attempts(call.Context(), call.Partner(), e.ID)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	rows := make([][]any, len(events))
	for i, e := range events {
		name := Values{Link{eventsPath + "/" + url.PathEscape(e.ID), e.Type}}
		if e.IsSimulated {
			name = append(name, Badge{Neutral, "Simulated"})
		}
		id, reason := about(e)
		if id != "" {
			name = append(name, Code(short(id)))
		}
		story := storyOf(e.Type)
		if reason != "" {
			story.What += " Reason: " + reason + "."
		}
		rows[i] = []any{e.OccurredAt, name, Pair{story.What, story.Next}, callbackBadges(attempts[i])}
	}
	return rows, nil
}

// callbackBadges sums up the attempts for each subscription: only the last one counts.
func callbackBadges(attempts []past.Attempt) any {
	if len(attempts) == 0 {
		return nil
	}
	last := map[string]past.Attempt{}
	var subscriptions []string
	for _, a := range attempts {
		if _, seen := last[a.SubscriptionID]; !seen {
			subscriptions = append(subscriptions, a.SubscriptionID)
		}
		last[a.SubscriptionID] = a
	}
	count := map[Badge]int{}
	var badges []Badge
	for _, id := range subscriptions {
		badge := attemptBadge(last[id])
		if count[badge]++; count[badge] == 1 {
			badges = append(badges, badge)
		}
	}
	var values Values
	for _, badge := range badges {
		if n := count[badge]; n > 1 {
			badge.Text = fmt.Sprintf("%d × %s", n, badge.Text)
		}
		values = append(values, badge)
	}
	return values
}

func attemptBadge(a past.Attempt) Badge {
	switch {
	case a.Outcome == acknowledged:
		return Badge{Good, spaced(a.Outcome)}
	case !a.NextAttemptAt.IsZero():
		return Badge{Waiting, spaced(a.Outcome) + ", retrying"}
	}
	return Badge{Bad, spaced(a.Outcome) + ", given up"}
}

// eventPage shows one event and its callbacks.
type eventPage struct {
	Story    Story
	Facts    Facts
	Data     Block
	Attempts Table
}

// dataBlock shows the data of an event.
func dataBlock(e past.Event) Block { return Block{"data, as your server gets it", indented(e.Data)} }

func (c *Console) showEvent(call *Call) (Answer, error) {
	e, err := c.Past.Event(call.Context(), call.Partner(), call.PathValue("event"))
	if err != nil {
		return nil, err
	}
	attempts, err := c.Past.Attempts(call.Context(), call.Partner(), e.ID)
	if err != nil {
		return nil, err
	}
	story := storyOf(e.Type)
	data := eventPage{
		Story: story,
		Facts: Facts{{"Event ID", Code(e.ID)}, {"When", At{e.OccurredAt}}, {"User", idLink(e.User)}, {"Trace", traceLink(e.TraceID)}},
		Data:  dataBlock(e),
		Attempts: Table{
			Caption: "Callbacks", Columns: []string{"Started", "Attempt", "Outcome", "Answer", "Took", "Why"},
			Empty: Empty{Title: "Nobody was called", Text: "No active subscription had this type of event when it happened."},
		},
	}
	for _, a := range attempts {
		answer := any("no answer")
		if a.HTTPStatus > 0 {
			answer = a.HTTPStatus
		}
		data.Attempts.Rows = append(data.Attempts.Rows, []any{
			a.StartedAt, a.Number, attemptBadge(a), answer, ms(a.Duration), a.Detail,
		})
	}
	page := Page{
		Title: e.Type, Section: usersPath, Template: "event", Lead: story.What, Data: data,
		Crumbs: []Link{{usersPath, "Users"}},
	}
	if e.IsSimulated {
		page.Badge = &Badge{Neutral, "Simulated"}
	}
	return page, nil
}

// indented writes JSON for people.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

func idLink(id owner.UserID) any {
	if id == "" {
		return nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), string(id)}
}
