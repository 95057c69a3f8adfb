package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/observe"
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
	requests, next, err := c.requests(call, page.Filter)
	page.List.Pages = pagesOf(requestsPath, query, next)
	if !page.List.Pages.Later {
		page.List.Live = page.List.Pages.Newest
	}
	switch {
	case next != "" && len(requests) < pastPage:
		page.Note, page.List.Empty = "Older requests were not searched yet.", emptyOf("noFitYet")
	case slices.ContainsFunc(page.Filter.Fields, func(f Field) bool { return f.Value != "" }):
		page.List.Empty = emptyOf("noRequestFits")
	}
	for _, r := range requests {
		request := any(Address(r.Route))
		if r.Operation != "" {
			request = Pair{r.Operation, r.Route}
		}
		page.List.Rows = append(page.List.Rows, []any{
			r.At.Time(), request, append(stateOf(statusBadge(r.Status), r.Problem), Soft(strings.Join(r.Faults, ", "))),
			took(r.Took()), traceLink(r.TraceID),
		})
	}
	return page, err
}

// requests returns a page of the requests that a form of pages.yaml asks for, and marks what is wrong in it.
func (c *Console) requests(call *Call, form *Form) (found []feed.Request, next string, err error) {
	path, user, status := strings.TrimSpace(form.Fields[0].Value), &form.Fields[1], &form.Fields[2]
	from, before := spanOf(call, &form.Fields[3])
	class, ok := statusClass(status)
	if !ok {
		return nil, "", nil
	}
	digest := ""
	if user.Value != "" {
		u, err := c.findUser(call, strings.TrimSpace(user.Value))
		if errors.Is(err, outcome.ErrNotFound) {
			user.Problem = "You have no user with this ID."
			return nil, "", nil
		}
		if err != nil {
			return nil, "", err
		}
		digest = u.Owner.Digest()
	}
	all := reader[feed.Request]{
		pages: 20, perPage: pastPage,
		page: func(limit int, position string) ([]feed.Request, string, error) {
			return c.Store.Requests(call.Context(), call.Partner(), !call.URL.Query().Has("all"), limit, position)
		},
		at: func(r feed.Request) time.Time { return r.At.Time() }, position: feed.Request.Position,
	}
	return newestFitting(all, from, before, pastPage, func(r feed.Request) bool {
		return (strings.Contains(r.Route, path) || strings.Contains(r.Operation, path)) &&
			strings.HasPrefix(strconv.Itoa(r.Status), class) && (digest == "" || r.UserDigest == digest)
	})
}

// statusClass returns the start of the statuses that a field asks for, or marks it.
func statusClass(f *Field) (class string, ok bool) {
	class = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(f.Value)), "xx")
	if n, err := strconv.Atoi(class); class == "" || err == nil && n > 0 {
		return class, true
	}
	f.Problem = "Write a status, such as 422, or a class, such as 4xx."
	return "", false
}

// saveRequests is the list for programs, such as the command-line tool. Its query is that of the page.
func (c *Console) saveRequests(call *Call) (Answer, error) {
	form := formOf("filterRequests", requestsPath, call.URL.Query())
	found, next, err := c.requests(call, form)
	if err != nil {
		return nil, err
	}
	for _, f := range form.Fields {
		if f.Problem != "" {
			return messagePage(http.StatusUnprocessableEntity, f.Label, f.Problem), nil
		}
	}
	type request struct {
		At        time.Time `json:"at"`
		RequestID string    `json:"requestId"`
		TraceID   string    `json:"traceId"`
		Operation string    `json:"operation"`
		Route     string    `json:"route"`
		Status    int       `json:"status"`
		Problem   string    `json:"problem,omitempty"`
		Faults    []string  `json:"faults,omitempty"`
		TookMs    float64   `json:"tookMs"`
		Replayed  bool      `json:"replayed,omitempty"`
	}
	page := struct {
		Requests []request `json:"requests"`
		Before   string    `json:"before,omitempty"`
	}{[]request{}, next}
	for _, r := range found {
		page.Requests = append(page.Requests, request{
			r.At.Time(), r.RequestID, r.TraceID, r.Operation, r.Route, r.Status, r.Problem, r.Faults,
			observe.Milliseconds(r.Took()), r.Replayed,
		})
	}
	text, err := json.Marshal(page)
	return File{Type: "application/json", Content: text}, err
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
			{"Fields of the template", strings.Join(r.Faults, ", ")}, {"Took", took(r.Took())},
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
