package console

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"aviso/internal/console/feed"
)

func (c *Console) overviewRoutes() []Route {
	return []Route{{Method: http.MethodGet, Path: Path, Role: Viewer, Do: c.showOverview}}
}

// overviewPage is what the overview shows. If nothing has happened, it is Empty alone.
type overviewPage struct {
	Tabs    Tabs
	Nothing bool
	Empty   Empty
	// Alerts are what somebody should look at.
	Alerts []Alert
	Charts []Bars
	Tables []Table
}

// Alert is a sentence about something that needs somebody, and where to go for it.
type Alert struct {
	Tone Tone
	Text string
	Link Link
}

// monthParameter is the address's parameter for the longer window.
const monthParameter = "month"

func (c *Console) showOverview(call *Call) (Answer, error) {
	window, span := feed.Day, "last 24 hours"
	if call.URL.Query().Has(monthParameter) {
		window, span = feed.Month, "last 30 days"
	}
	o, err := c.Past.Overview(call.Context(), call.Partner(), window)
	if err != nil {
		return nil, err
	}
	total := o.Total()
	data := overviewPage{
		Tabs: Tabs{"How far back", []Tab{
			{Link{Path, "24 hours"}, window == feed.Day},
			{Link{Path + "?" + monthParameter, "30 days"}, window == feed.Month},
		}},
		Nothing: total.Requests+sum(total.Callbacks)+sum(total.Letters)+sum(total.Connections) == 0,
		Empty:   c.nothingYet(call),
		Alerts:  c.alerts(total, span),
		Charts: []Bars{
			chart(o, window, "Requests", "requests", "failed", func(t feed.Tally) (int, int) {
				return t.Requests, t.Refused + t.Broken
			}),
			chart(o, window, "Callbacks", "callbacks", "not acknowledged", func(t feed.Tally) (int, int) {
				return sum(t.Callbacks), sum(t.Callbacks) - t.Callbacks[acknowledged]
			}),
			chart(o, window, "Letters, by each step they took", "steps", "undelivered or rejected", func(t feed.Tally) (int, int) {
				return sum(t.Letters), t.Letters["DeliveryFailed"] + t.Letters["Rejected"]
			}),
			chart(o, window, "Connections, by each state they entered", "changes", "need the user", func(t feed.Tally) (int, int) {
				entered := t.Connections
				return sum(entered), entered["Failed"] + entered["ActionRequired"] + entered["Expired"] + entered["Revoked"]
			}),
		},
		Tables: []Table{
			countTable("Callbacks, "+span, "Outcome", total.Callbacks, func(name string) Tone {
				if name == acknowledged {
					return Good
				}
				return Bad
			}),
			countTable("Letters, "+span, "Status entered", total.Letters, letterTone),
			countTable("Connections, "+span, "Status entered", total.Connections, connectionTone),
		},
	}
	return Page{
		Title: "Overview", Section: Path, Template: "overview", Data: data,
		Lead: "What your server asked for, and what reached it, in the " + span + ".",
	}, nil
}

// nothingYet says how to begin.
func (c *Console) nothingYet(call *Call) Empty {
	return Empty{
		Title: "Nothing has happened yet",
		Text: "Requests, connections, letters and callbacks appear here as soon as your server uses the API. " +
			"The first step is a token:",
		Command: "curl -s -u " + string(call.Partner()) + ":$CLIENT_SECRET -d grant_type=client_credentials " +
			c.origin(call.Request) + "/oauth2/token",
		Link: Link{"/docs", "Your first hour"},
	}
}

// alerts returns what needs somebody, the worst first.
func (c *Console) alerts(t feed.Tally, span string) []Alert {
	failed := sum(t.Callbacks) - t.Callbacks[acknowledged]
	waiting := t.Connections["ActionRequired"] + t.Connections["Expired"] + t.Connections["Revoked"]
	all := []struct {
		n         int
		tone      Tone
		one, many string
		link      Link
	}{
		{
			failed, Bad, "callback was not acknowledged", "callbacks were not acknowledged",
			Link{Path + "/webhooks", "See the webhooks"},
		},
		{t.Broken, Bad, "request failed on our side", "requests failed on our side", Link{requestsPath, "See the requests"}},
		{t.Refused, Waiting, "request was refused", "requests were refused", Link{requestsPath, "See the requests"}},
		{
			t.Letters["DeliveryFailed"], Bad, "letter reached nobody", "letters reached nobody",
			Link{Path + "/cancellations", "See the cancellations"},
		},
		{
			waiting, Waiting, "connection lost its consent", "connections lost their consent",
			Link{Path + "/connections", "See the connections"},
		},
	}
	var alerts []Alert
	for _, a := range all {
		if a.n > 0 {
			alerts = append(alerts, Alert{a.tone, countOf(a.n, a.one, a.many) + " in the " + span + ".", c.ifThere(a.link)})
		}
	}
	return alerts
}

// ifThere returns the link if the console has the page.
func (c *Console) ifThere(l Link) Link {
	if slices.ContainsFunc(c.Routes(), func(r Route) bool { return r.Method == http.MethodGet && r.Path == l.To }) {
		return l
	}
	return Link{}
}

func chart(
	o feed.Overview, window feed.Window, label, unit, badUnit string, count func(feed.Tally) (all, bad int),
) Bars {
	format := "2 Jan, 15:04 UTC"
	if window == feed.Month {
		format = "2 Jan"
	}
	b := Bars{Label: label, Unit: unit, BadUnit: badUnit}
	for _, p := range o.Points {
		all, bad := count(p.Tally)
		b.Values = append(b.Values, Bar{p.At.Format(format), all, bad})
	}
	return b
}

// countTable is a table of what was counted by name, the most first.
func countTable(caption, column string, counts map[string]int, tone func(string) Tone) Table {
	t := Table{Caption: caption, Columns: []string{column, "Count"}}
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	for _, name := range names {
		t.Rows = append(t.Rows, []any{Badge{tone(name), spaced(name)}, counts[name]})
	}
	return t
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

// ms writes a duration as people read it.
func ms(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
