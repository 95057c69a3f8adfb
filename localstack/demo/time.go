package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

const clockPath = "/sandbox/v1/users/$USER_ID/clock"

// period is how much time passes for the user: the clock is advanced by a step a number of
// times. It is a flag's value.
type period struct {
	step  string
	times int
}

// Set implements flag.Value: years and months pass month by month.
func (p *period) Set(text string) error {
	found := regexp.MustCompile(`^P([1-9]\d?)([YMD])$`).FindStringSubmatch(text)
	if found == nil {
		return fmt.Errorf("%q is not a number of years, months or days, such as P1Y, P6M or P10D", text)
	}
	n, err := strconv.Atoi(found[1])
	switch found[2] {
	case "Y":
		*p = period{"P1M", 12 * n}
	case "M":
		*p = period{"P1M", n}
	default:
		*p = period{text, 1}
	}
	return err
}

// String implements flag.Value.
func (p *period) String() string { return fmt.Sprintf("%d times %s", p.times, p.step) }

// passTime advances the user's clock and says in words what happened meanwhile. A letter is
// under way when it begins, and a consent that ends is renewed.
func (w *walker) passTime(ctx context.Context) string {
	advance := partner.Post(clockPath, `{"advanceBy":"`+w.pass.step+`"}`)
	ready := partner.Get(clockPath)
	ready.Until = `"status":"Ready"`
	w.screen.curl(advance.String(), ready.String())
	w.others = append(w.others, w.endByName(ctx, anotherCompany()))
	told, callbacks, day := len(w.userEvents()), 0, ""
	for range w.pass.times {
		w.call(ctx, advance)
		day = w.clockReady(ctx).Format(time.DateOnly)
		events := w.userEvents()[told:]
		told += len(events)
		callbacks += len(events)
		w.tellStep(day, events)
		w.renewExpired(ctx, day)
	}
	return fmt.Sprintf("it is %s for the user; %d callbacks told the partner", day, callbacks)
}

// clockReady waits until everything has happened that was due, and returns the user's time.
func (w *walker) clockReady(ctx context.Context) (now time.Time) {
	w.eventually(ctx, w.clockWithin, "the clock is still being advanced", func(ctx context.Context) bool {
		clock := w.call(ctx, partner.Get(clockPath)).Get("data.clock")
		now = clock.Get("now").Time()
		return clock.Get("status").Str == "Ready"
	})
	return now
}

// renewExpired sends the user to the bank once more if the consent has ended.
func (w *walker) renewExpired(ctx context.Context, day string) {
	c := w.call(ctx, partner.Get(connectionPath).ForUser()).Get("data.connection")
	if c.Get("connectionStatus").Str != "Expired" {
		return
	}
	w.renew(ctx, w.call(ctx, w.renewal()), c)
	w.screen.tell("%s  the user renewed the consent at the bank", day)
}

// tellStep prints what the events of a step say, which ended on a day.
func (w *walker) tellStep(day string, events []gjson.Result) {
	read, added := 0, int64(0)
	for _, e := range events {
		switch e.Get("eventType").Str {
		case "connection.refreshed":
			read++
		case "transactions.updated":
			added += e.Get("data.added").Int()
		}
		if text := w.inWords(e); text != "" {
			w.screen.tell("%s  %s", e.Get("occurredAt").Time().Format(time.DateOnly), text)
		}
	}
	w.screen.tell("%s  reads of the bank: %d, new transactions: %d", day, read, added)
}

// inWords returns what an event says, or "" if it is an everyday one.
func (w *walker) inWords(e gjson.Result) string {
	name, data := e.Get("eventType").Str, e.Get("data")
	switch name {
	case "connection.refreshed", "transactions.updated", "connection.activated",
		"cancellation.created", "cancellation.queued":
		return ""
	case "connection.expiring":
		return "a notice says that the consent ends on " + lastDay(data).Format(time.DateOnly)
	case "connection.expired":
		return "the consent has ended"
	case "cancellation.sent":
		return fmt.Sprintf("the letter to %s has left (%s)", w.companyOf(data), data.Get("channel").Str)
	case "cancellation.delivered":
		return fmt.Sprintf("the letter to %s has arrived", w.companyOf(data))
	default:
		return "event " + name
	}
}

// companyOf returns the company that a cancellation of the walk went to.
func (w *walker) companyOf(data gjson.Result) string {
	i := slices.IndexFunc(w.others, func(e ending) bool { return e.id() == data.Get("cancellationId").Str })
	if i < 0 {
		return w.ending.company
	}
	return w.others[i].company
}
