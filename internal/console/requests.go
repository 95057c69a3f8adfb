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
	"aviso/internal/outcome"
)

const requestsPath = Path + "/requests"

func (c *Console) showRequests(call *Call) (Answer, error) {
	query, name := call.URL.Query(), "failedRequests"
	all := query.Has("all")
	if all {
		name = "requests"
	}
	page := pageOf(name)
	page.Find = formOf("findRequest", requestsPath, query)
	if id := asked(call, "id"); id != "" {
		found, err := c.Store.Find(call.Context(), call.Partner(), id)
		if err == nil {
			return Redirect{To: requestsPath + "/" + traceOf(found)}, nil
		}
		if !errors.Is(err, outcome.ErrNotFound) {
			return nil, err
		}
		page.Find.Fields[0].Problem = "Nothing is kept under this ID. It is the traceId of a problem document, the header " +
			"X-Request-Id, or the ID in traceparent. Requests that succeeded are kept for 24 hours, others for 7 days."
	}
	page.Tabs = Tabs{"Which requests", []Tab{
		{Link{requestsPath, "Failed, 7 days"}, !all}, {Link{requestsPath + "?all", "All, 24 hours"}, all},
	}}
	page.Filter = formOf("filterRequests", requestsPath, query)
	if all {
		page.Filter.Hidden = map[string]string{"all": ""}
	}
	path, status := strings.TrimSpace(query.Get("path")), query.Get("status")
	requests, next, err := c.requestsThat(call, !all, query.Get("before"), func(r feed.Request) bool {
		return (strings.Contains(r.Route, path) || strings.Contains(r.Operation, path)) && hasStatus(r, status)
	})
	page.List.Pages = pagesOf(requestsPath, query, next)
	if !page.List.Pages.Later {
		page.List.Live = page.List.Pages.Newest
	}
	switch {
	case next != "" && len(requests) < pastPage:
		page.Note, page.List.Empty = "Older requests were not searched yet.", emptyOf("noFitYet")
	case path != "" || status != "":
		page.List.Empty = emptyOf("noFit")
	}
	for _, r := range requests {
		request := any(Address(r.Route))
		if r.Operation != "" {
			request = Pair{r.Operation, r.Route}
		}
		page.List.Rows = append(page.List.Rows, []any{
			r.At.Time(), request, stateOf(statusBadge(r.Status), r.Problem), took(r.Took()), traceLink(r.TraceID),
		})
	}
	return page, err
}

// requestsThat returns the newest requests that fit, at least a page of them if twenty pages have so many.
func (c *Console) requestsThat(
	call *Call, failed bool, before string, fits func(feed.Request) bool,
) (found []feed.Request, next string, err error) {
	const searched = 20
	next = before
	for range searched {
		var page []feed.Request
		page, next, err = c.Store.Requests(call.Context(), call.Partner(), failed, pastPage, next)
		for _, r := range page {
			if fits(r) {
				found = append(found, r)
			}
		}
		if err != nil || next == "" || len(found) >= pastPage {
			break
		}
	}
	return found, next, err
}

// hasStatus reports whether a request's answer has the status, such as 422, or its class, such as 4. Any has none.
func hasStatus(r feed.Request, status string) bool {
	return strings.HasPrefix(strconv.Itoa(r.Status), status)
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

// short returns the start of an ID. That is enough to tell a few IDs apart.
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

func (c *Console) showTrace(call *Call) (Answer, error) {
	found, err := c.Store.Find(call.Context(), call.Partner(), call.PathValue("trace"))
	if err != nil {
		return nil, err
	}
	page := pageOf("trace")
	var requests []Facts
	for _, r := range found.Requests {
		page.Note = cmp.Or(page.Note, nextAfter(r.Status))
		badge := statusBadge(r.Status)
		facts := Facts{
			{"When", At{Time: r.At.Time()}}, {"Operation", Code(r.Operation)}, {"Problem", Code(r.Problem)},
			{"Took", took(r.Took())},
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
		requests = append(requests, facts)
	}
	page.More = requests
	when := func(e feed.Event) any { return happened(call.Now, e.OccurredAt.Time(), e.OccurredAt.Time()) }
	page.List.Rows, err = c.eventRows(call, found.Events, when)
	for i := range page.List.Rows {
		page.List.Rows[i] = slices.Insert(page.List.Rows[i], 2, userCell(found.Events[i].User))
	}
	return page, err
}
