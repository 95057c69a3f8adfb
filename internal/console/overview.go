package console

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"aviso/internal/console/feed"
)

// overviewParts are shown only on the overview. If nothing has happened, they are empty.
type overviewParts struct {
	Nothing bool
	// Alerts are the problems that need attention.
	Alerts []Alert
	// Endpoints are charts of the most used endpoints.
	Endpoints []Bars
	Tables    []Table
}

// Alert is a sentence about a problem, with links to solve it.
type Alert struct {
	Tone Tone
	Text string
	// Links lead to the newest objects, and then to all of them.
	Links []Link
}

// monthParameter is the query parameter for the longer window.
const monthParameter = "month"

func (c *Console) showOverview(call *Call) (Answer, error) {
	window, span, format := feed.Day, "last 24 hours", "2 Jan, 15:04 UTC"
	if call.URL.Query().Has(monthParameter) {
		window, span, format = feed.Month, "last 30 days", "2 Jan"
	}
	o, err := c.Store.Overview(call.Context(), call.Partner(), window)
	if err != nil {
		return nil, err
	}
	alerts, err := c.alerts(call, o, span)
	if err != nil {
		return nil, err
	}
	total := o.Total()
	page := pageOf("overview")
	page.Lead = "What your server asked for, and what reached it, in the " + span + "."
	page.Tabs = Tabs{"How far back", []Tab{
		{Link{Path, "24 hours"}, window == feed.Day},
		{Link{Path + "?" + monthParameter, "30 days"}, window == feed.Month},
	}}
	page.List.Empty.Link = c.docs("/docs/guides/first-hour/", "Your first hour")
	page.Charts = []Bars{
		chart(o, format, "Requests", "requests", "failed", func(t feed.Counts) (int, int) {
			return t[feed.CountRequests], t[feed.CountRefused] + t[feed.CountBroken]
		}),
		callbackChart(o, format, "Callbacks"), letterChart(o, format), connectionChart(o, format),
	}
	page.More = overviewParts{
		Nothing: total.Sum() == 0, Alerts: alerts, Endpoints: endpointCharts(o, format),
		Tables: []Table{
			countTable("Callbacks, "+span, "Outcome", "callback", total.Of(feed.CountCallbacks)),
			countTable("Letters, "+span, "Status entered", "cancellationEntered", total.Of(feed.CountLetters)),
			countTable("Connections, "+span, "Status entered", "connectionEntered", total.Of(feed.CountConnections)),
		},
	}
	return page, nil
}

// alerts returns the problems that need attention, the worst first.
func (c *Console) alerts(call *Call, o feed.Overview, span string) ([]Alert, error) {
	t := o.Total()
	alerts, err := c.webhookAlerts(call)
	if err != nil {
		return nil, err
	}
	ended, entered := t.Of(feed.CountCallbacks), t.Of(feed.CountConnections)
	if failed := ended.Sum() - ended[acknowledged]; failed > 0 && len(alerts) == 0 {
		alerts = append(alerts, Alert{
			Waiting, countOf(failed, "callback was", "callbacks were") + " not acknowledged in the " + span +
				". All receivers are well now.", []Link{{webhooksPath, "See the webhooks"}},
		})
	}
	requests := Link{requestsPath, "See the requests"}
	lost := entered["ActionRequired"] + entered["Expired"] + entered["Revoked"]
	for _, a := range []struct {
		n         int
		tone      Tone
		one, many string
		all       Link
		// fits matches the newest objects, and row names them.
		fits func(feed.Event) bool
		row  func(*Call, feed.Event) ([]any, error)
	}{
		{
			n: t[feed.CountLetters+"DeliveryFailed"], tone: Bad, one: "letter reached nobody", many: "letters reached nobody",
			all:  Link{cancellationsPath + "?state=DeliveryFailed", "All of them"},
			fits: func(e feed.Event) bool { return e.Type == "cancellation.delivery_failed" }, row: c.letterRow,
		},
		{n: t[feed.CountBroken], tone: Bad, one: "request failed on our side", many: "requests failed on our side", all: requests},
		{
			n: lost, tone: Waiting, one: "connection lost its consent", many: "connections lost their consent",
			all:  Link{connectionsPath + "?state=" + consentLost, "All of them"},
			fits: func(e feed.Event) bool { return hasEntered(feed.CountConnections)(e, consentLost) },
			row:  c.connectionRow,
		},
		{n: t[feed.CountRefused], tone: Waiting, one: "request was refused", many: "requests were refused", all: requests},
	} {
		if a.n == 0 {
			continue
		}
		alert := Alert{Tone: a.tone, Text: countOf(a.n, a.one, a.many) + " in the " + span + "."}
		if a.fits != nil {
			const named = 3
			fits := func(e feed.Event) bool { return !e.IsSimulated && a.fits(e) }
			newest, _, err := newestFitting(c.allEvents(call, false), o[0].At, "", named, fits)
			if err != nil {
				return nil, err
			}
			for _, e := range newest {
				row, err := a.row(call, e)
				if err != nil {
					return nil, err
				}
				if link, ok := row[0].(Link); ok {
					alert.Links = append(alert.Links, link)
				}
			}
		}
		alert.Links = append(alert.Links, a.all)
		alerts = append(alerts, alert)
	}
	return alerts, nil
}

// webhookAlerts names the subscriptions with failing deliveries.
func (c *Console) webhookAlerts(call *Call) ([]Alert, error) {
	all, err := c.Webhooks.Subscriptions.List(call.Context(), call.Partner())
	if err != nil {
		return nil, err
	}
	recent, err := c.recentOf(call, 1, all...)
	if err != nil {
		return nil, err
	}
	var alerts []Alert
	for i, s := range all {
		h := healthOf(s, newestOf(recent[i]))
		if !h.Trouble {
			continue
		}
		base := webhooksPath + "/" + s.ID
		a := Alert{h.Badge.Tone, shortAddress(s.ServerURL) + ": " + h.Badge.Text + ". " + h.Text, []Link{{base, "See the subscription"}}}
		if s.Exhausted > 0 {
			a.Links = []Link{{base + "/outages", "What was lost"}, a.Links[0]}
		}
		alerts = append(alerts, a)
	}
	return alerts, nil
}

// chart returns a chart of an overview. format formats the times that name its points.
func chart(
	o feed.Overview, format, label, unit, badUnit string, count func(feed.Counts) (all, bad int),
) Bars {
	b := Bars{Label: label, Unit: unit, BadUnit: badUnit}
	for _, p := range o {
		all, bad := count(p.Counts)
		b.Values = append(b.Values, Bar{p.At.Format(format), all, bad})
	}
	return b
}

func callbackChart(o feed.Overview, format, label string) Bars {
	return chart(o, format, label, "callbacks", "not acknowledged", func(t feed.Counts) (int, int) {
		ended := t.Of(feed.CountCallbacks)
		return ended.Sum(), ended.Sum() - ended[acknowledged]
	})
}

func letterChart(o feed.Overview, format string) Bars {
	const label, bad = "Letters, by each step they took", "undelivered or rejected"
	return chart(o, format, label, "steps", bad, func(t feed.Counts) (int, int) {
		entered := t.Of(feed.CountLetters)
		return entered.Sum(), entered["DeliveryFailed"] + entered["Rejected"]
	})
}

func connectionChart(o feed.Overview, format string) Bars {
	const label, bad = "Connections, by each state they entered", "need the user"
	return chart(o, format, label, "changes", bad, func(t feed.Counts) (int, int) {
		entered := t.Of(feed.CountConnections)
		return entered.Sum(), entered["Failed"] + entered["ActionRequired"] + entered["Expired"] + entered["Revoked"]
	})
}

// endpointCharts returns a chart for each of the most used endpoints.
func endpointCharts(o feed.Overview, format string) []Bars {
	const most = 8
	routes := mostFirst(o.Total().Of(feed.CountRoute))
	charts := make([]Bars, min(most, len(routes)))
	for i := range charts {
		charts[i] = chart(o, format, routes[i], "requests", "failed", func(t feed.Counts) (int, int) {
			return t[feed.CountRoute+routes[i]], t[feed.CountFailedRoute+routes[i]]
		})
	}
	return charts
}

// mostFirst returns the counted names, in order of decreasing count.
func mostFirst(counts feed.Counts) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

// countTable is a table of states and their counts, in decreasing order. badges is the kind of the states' badges.
func countTable(caption, column, badges string, counts feed.Counts) Table {
	t := Table{Caption: caption, Columns: []string{column, "Count"}}
	for _, name := range mostFirst(counts) {
		t.Rows = append(t.Rows, []any{badgeOf(badges, name), counts[name]})
	}
	return t
}
