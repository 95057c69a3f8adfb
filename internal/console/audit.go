package console

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/console/feed"
	"aviso/internal/observe"
	"aviso/internal/outcome"
)

// audited runs a route's handler between two writes of the audit log, so that nothing happens without an entry. If
// the second write fails, the entry says that the result is unknown.
func (c *Console) audited(call *Call, route Route, ids []string) (Answer, error) {
	call.detail = strings.Join(slices.DeleteFunc(ids, func(id string) bool { return uuid.Validate(id) != nil }), " ")
	call.entry = c.newEntry(call, call.Session, route.Action)
	if err := c.Store.Begin(call.Context(), call.Partner(), call.entry); err != nil {
		return nil, fmt.Errorf("write audit log: %w", err)
	}
	answer, err := route.Do(call)
	if statusOf(answer, err) == http.StatusNotFound {
		call.detail = "" // the log cannot be erased, so it must not keep data such as the partner's ID of a user
	}
	end := c.Store.End(call.Context(), call.Partner(), call.entry.ID, resultOf(answer, err), call.detail)
	if end != nil { // the action is done, and its answer may be a secret that is shown only once
		c.Log.ErrorContext(call.Context(), "audit log entry not ended", "auditId", call.entry.ID, "error", end.Error())
	}
	return answer, err
}

func (c *Console) newEntry(call *Call, s Session, action string) feed.Entry {
	return feed.Entry{
		ID: c.NewID(), At: clock.Read(c.Now).Time(), Who: s.Who, Role: s.Role.String(), Action: action, Detail: call.detail,
		Result: feed.Begun, Trace: observe.TraceFrom(call.Context()),
	}
}

// idPattern matches the IDs in addresses: UUIDs, trace IDs and digests of secrets.
var idPattern = regexp.MustCompile(`^(?i:[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// idsIn returns the IDs in the address, and whether all of them have the form of an ID. Handlers and the audit log
// see no other text: it may name a person, or be longer than a key.
func idsIn(pattern string, r *http.Request) ([]string, bool) {
	var ids []string
	for part := range strings.SplitSeq(pattern, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			id := r.PathValue(strings.TrimSuffix(name, "}"))
			if !idPattern.MatchString(id) {
				return nil, false
			}
			ids = append(ids, id)
		}
	}
	return ids, true
}

// statusOf returns the status of a page. It returns 0 for a page with the default status, and for other answers.
func statusOf(answer Answer, err error) int {
	if err != nil {
		return pageOfError(err).Status
	}
	page, _ := answer.(Page)
	return page.Status
}

func resultOf(answer Answer, err error) feed.Result {
	page, isPage := answer.(Page)
	status := statusOf(answer, err)
	switch {
	case status >= http.StatusInternalServerError:
		return feed.Failed
	case status >= http.StatusBadRequest, isPage && page.Problem != "":
		return feed.Refused
	}
	return feed.Done
}

const (
	auditPath = Path + "/audit"
	// auditPage is the number of entries on a page of the audit log.
	auditPage = 50
)

func (c *Console) showAudit(call *Call) (Answer, error) {
	before := call.URL.Query().Get("before")
	if before != "" && uuid.Validate(before) != nil {
		return nil, outcome.ErrNotFound
	}
	entries, err := c.Store.Entries(call.Context(), call.Partner(), before, auditPage+1)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(entries) > auditPage {
		entries, next = entries[:auditPage], entries[auditPage-1].ID
	}
	page := pageOf("audit")
	page.List.Pages = pagesOf(auditPath, url.Values{"before": {before}}, next)
	for _, e := range entries {
		page.List.Rows = append(page.List.Rows, []any{
			e.At, Pair{e.Who, e.Role}, c.inWords(e.Action), e.Detail, badgeOf("result", string(e.Result)), Code(e.Trace),
		})
	}
	return page, nil
}

// inWords returns an action in words.
func (c *Console) inWords(action string) string {
	for _, r := range c.Routes() {
		if r.Action == action && r.Did != "" {
			return r.Did
		}
	}
	return action
}
