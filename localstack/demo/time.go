package main

import (
	"context"

	"aviso/localstack/partner"
)

// passTime advances the user's clock, and says where to see what happened.
func (w *walker) passTime(ctx context.Context) string {
	const path = "/sandbox/v1/users/$USER_ID/clock"
	ready := partner.Get(path)
	ready.Until = `"status":"Ready"`
	w.show(ctx, partner.Post(path, `{"advanceBy":"`+w.span+`"}`), ready)
	now := ""
	w.eventually(ctx, w.timeWithin, "the clock is not ready", func(ctx context.Context) bool {
		c := w.call(ctx, partner.Get(path)).Get("data.clock")
		now = c.Get("now").Str
		return c.Get("status").Str == "Ready"
	})
	w.screen.tell("It is %s for the user now. See what happened, and sign in with the partner's secret:\n", now)
	return w.baseURL + "/console/users/" + w.partner.Vars["USER_ID"]
}
