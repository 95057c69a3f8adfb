package console

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo/outcome"
)

const requestsPath = Path + "/requests"

func (c *Console) showRequests(call *Call) (Answer, error) {
	query := call.URL.Query()
	find := finder(call, requestsPath, "id", "Trace ID or request ID", "")
	if id := asked(call, "id"); id != "" {
		found, err := c.Past.Find(call.Context(), call.Partner(), id)
		if err == nil {
			return Redirect{To: requestsPath + "/" + traceOf(found)}, nil
		}
		if !errors.Is(err, outcome.ErrNotFound) {
			return nil, err
		}
		find.Fields[0].Problem = "Nothing is kept under this ID. It is the traceId of a problem document, the header " +
			"X-Request-Id, or the ID in traceparent. Requests that succeeded are kept for 24 hours, others for 7 days."
	}
	all := query.Has("all")
	requests, next, err := c.Past.Requests(call.Context(), call.Partner(), !all, pastPage, query.Get("before"))
	if err != nil {
		return nil, err
	}
	table := tableOf("failedRequests")
	if all {
		table = tableOf("requests")
	}
	later := query.Has("before")
	query.Del("before")
	table.Pages = pagesOf(requestsPath, query, later, next)
	if !later {
		table.Live = table.Pages.Newest
	}
	for _, r := range requests {
		request := any(Address(r.Route))
		if r.Operation != "" {
			request = Pair{r.Operation, r.Route}
		}
		table.Rows = append(table.Rows, []any{
			r.At.Time(), request, stateOf(statusBadge(r.Status), r.Problem), took(r.Took()), traceLink(r.TraceID),
		})
	}
	return pageOf("requests", listPage{Find: find, List: table, Tabs: Tabs{"Which requests", []Tab{
		{Link{requestsPath, "Failed, 7 days"}, !all}, {Link{requestsPath + "?all", "All, 24 hours"}, all},
	}}}), nil
}

func traceOf(t feed.Trace) string {
	if len(t.Requests) > 0 {
		return t.Requests[0].TraceID
	}
	return t.Events[0].TraceID
}

func traceLink(id string) any {
	if id == "" {
		return nil
	}
	return Link{requestsPath + "/" + url.PathEscape(id), short(id)}
}

// short returns the start of an ID, which is enough to tell a few apart.
func short(id string) string { return id[:min(len(id), 8)] + "…" }

func statusBadge(status int) Badge {
	text := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	switch {
	case status >= http.StatusInternalServerError:
		return Badge{Bad, text}
	case status >= http.StatusBadRequest:
		return Badge{Waiting, text}
	}
	return Badge{Good, text}
}

// tracePage is what happened under one trace ID.
type tracePage struct {
	Next     string
	Requests []Facts
	Events   Table
}

// Facts are the facts about one thing.
type Facts []Fact

func (c *Console) showTrace(call *Call) (Answer, error) {
	found, err := c.Past.Find(call.Context(), call.Partner(), call.PathValue("trace"))
	if err != nil {
		return nil, err
	}
	data := tracePage{Events: tableOf("trace")}
	when := func(e feed.Event) any { return happened(call.Now, e.OccurredAt.Time(), e.OccurredAt.Time()) }
	page := pageOf("trace", nil)
	for _, r := range found.Requests {
		data.Next = cmp.Or(data.Next, nextAfter(r.Status))
		badge := statusBadge(r.Status)
		facts := Facts{
			{"When", At{r.At.Time()}}, {"Operation", Code(r.Operation)}, {"Problem", Code(r.Problem)}, {"Took", took(r.Took())},
			{"Request ID", Code(r.RequestID)}, {"Trace ID", Code(r.TraceID)},
		}
		if len(found.Requests) == 1 {
			page.Title, page.Badge = r.Route, &badge
		} else {
			facts = append(Facts{{"Request", r.Route}, {"Answer", badge}}, facts...)
		}
		if r.Replayed {
			facts = append(facts, Fact{"Replayed", "The answer is the one that is stored under the Idempotency-Key."})
		}
		data.Requests = append(data.Requests, facts)
	}
	if data.Events.Rows, err = c.eventRows(call, found.Events, when); err != nil {
		return nil, err
	}
	for i, e := range found.Events {
		data.Events.Rows[i] = slices.Insert(data.Events.Rows[i], 2, userCell(e.User))
	}
	page.Data = data
	return page, nil
}
