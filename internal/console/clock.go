package console

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const clockPath = sandboxPath + "/clock"

func (c *Console) findClock(call *Call) (Answer, error) {
	page := pageOf("clocks")
	page.Find = formOf("findClock", clockPath, call.URL.Query())
	if text := asked(call, "user"); text != "" {
		u, err := c.findUser(call, text)
		if !errors.Is(err, outcome.ErrNotFound) {
			return Redirect{To: clockPath + "/" + string(u.Owner.ID)}, err
		}
		page.List.Empty = emptyOf("noClock")
	}
	return page, nil
}

// advancing is the progress of a clock.
type advancing struct {
	Until time.Time
	// Follows says that the page reloads by itself. Not everybody can read such a page.
	Follows bool
}

func (c *Console) showClock(call *Call) (Answer, error) {
	return c.clockOf(call, owner.UserID(strings.ToLower(call.PathValue("userId"))), 0, "")
}

// clockBy returns a user and the user's clock.
func (c *Console) clockBy(call *Call, id owner.UserID) (u identity.User, k identity.UserClock, err error) {
	if u, err = c.user(call, id); err == nil {
		k, err = c.Clocks.Get(call.Context(), u.Owner)
	}
	return u, k, err
}

// clockOf returns the page of a clock, with a status and a problem after a refusal.
func (c *Console) clockOf(call *Call, id owner.UserID, status int, problem string) (Answer, error) {
	u, k, err := c.clockBy(call, id)
	if err != nil {
		return nil, err
	}
	now := c.timeBy(call, k)
	page := pageOf("clock")
	page.Status, page.Problem, page.Badge = status, problem, &Badge{Good, "Ready"}
	page.Facts = Facts{
		{"User", userLink(u)},
		{"The user's time", At{Time: now}.utc()},
		{"Ahead of real time", aheadInWords(now.Sub(call.Now))},
	}
	page.Links = []Link{{Path + "/users/" + string(id), "What happened to the user"}}
	if k.IsAdvancing() {
		follows := call.URL.Query().Get("follow") != "no"
		page.More, page.Badge = advancing{k.Until, follows}, &Badge{Waiting, "Advancing"}
		if follows {
			call.follow()
		}
		return page, nil
	}
	if call.Session.Role >= Developer {
		page.Form = formOf("advance", clockPath+"/"+string(id), call.Form)
	}
	page.List.Rows, err = c.aheadOf(call, u.Owner, now)
	return page, err
}

// utc returns the time as text. A time relative to the viewer's would mislead here.
func (a At) utc() string { return a.UTC().Format("2 January 2006, 15:04:05 UTC") }

func aheadInWords(d time.Duration) string {
	if d < time.Second {
		return "Not at all: the clock was never moved"
	}
	days := int(d / (24 * time.Hour))
	return counted(days, "day") + " and " + counted(int(d.Hours())-24*days, "hour")
}

// target returns the time that a form asks for, given the user's time. A date takes precedence over a step.
func target(call *Call, now time.Time) (time.Time, error) {
	if at := call.Form.Get("at"); at != "" {
		return time.Parse(time.RFC3339, at)
	}
	if to := call.Form.Get("to"); to != "" {
		return time.Parse(time.DateOnly, to)
	}
	by := call.Form.Get("by")
	step, known := map[string]struct{ months, days int }{
		"day": {0, 1}, "week": {0, 7}, "month": {1, 0}, "quarter": {3, 0}, "half": {6, 0}, "year": {12, 0},
	}[by]
	if !known {
		return time.Time{}, fmt.Errorf("unknown step %q", by)
	}
	return now.AddDate(0, step.months, step.days), nil
}

func (c *Console) advanceClock(call *Call) (Answer, error) {
	id := owner.UserID(strings.ToLower(call.PathValue("userId")))
	u, k, err := c.clockBy(call, id)
	if err != nil {
		return nil, err
	}
	to, err := target(call, c.timeBy(call, k))
	if err != nil {
		return c.clockOf(call, id, http.StatusUnprocessableEntity, "Choose a step, or enter a date such as 2026-12-31.")
	}
	call.Note(string(id) + " to " + to.UTC().Format(time.RFC3339))
	_, err = c.Clocks.Advance(call.Context(), u.Owner, func(time.Time) time.Time { return to }, "/advanceTo", nil)
	if refusal, ok := errors.AsType[*apierror.Error](err); ok {
		return c.clockOf(call, id, refusalStatus(refusal.Code), refusalInWords(refusal))
	}
	if err != nil {
		return nil, err
	}
	return Redirect{To: clockPath + "/" + string(id)}, nil
}

// refusalInWords returns the detail of a refusal's only field, or of the refusal itself.
func refusalInWords(refusal *apierror.Error) string {
	if len(refusal.Fields) == 1 {
		return refusal.Fields[0].Detail
	}
	return refusal.Detail
}

// aheadOf lists a user's known future events, each with a button that advances the clock to it.
func (c *Console) aheadOf(call *Call, user owner.User, now time.Time) (rows [][]any, err error) {
	found, _, err := c.Connections.Connections(call.Context(), user, maxOfUser, "")
	if err != nil {
		return nil, fmt.Errorf("read connections: %w", err)
	}
	type event struct {
		at         time.Time
		what, bank string
	}
	var all []event
	for _, k := range found {
		if k = k.At(now); k.Authorisation != nil {
			all = append(all, event{k.Authorisation.ExpiresAt, "The link ends", k.ProviderName})
		}
		if !k.IsActive() {
			continue
		}
		all = append(all, event{k.NextRefreshAt(), "Next automatic read", k.ProviderName})
		if !k.ConsentExpiresAt.IsZero() {
			all = append(all, event{k.NextNoticeAt(), "You are told that the consent will end", k.ProviderName},
				event{k.ConsentExpiresAt, "The consent ends", k.ProviderName})
		}
	}
	all = slices.DeleteFunc(all, func(e event) bool { return !e.at.After(now) })
	slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
	for i, e := range all {
		row := []any{At{e.at, now}, e.what, e.bank, nil}
		if call.Session.Role >= Developer {
			row[3] = Form{
				ID: fmt.Sprint("go-", i), Action: clockPath + "/" + string(user.ID), Submit: "go there",
				Hidden: map[string]string{"at": e.at.Add(time.Second).UTC().Format(time.RFC3339)},
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}
