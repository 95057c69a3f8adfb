package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// advancing is the status of a clock until everything has happened that was due.
const advancing = "Advancing"

func (a *app) clock() *cobra.Command {
	var advance aviso.AdvanceClockRequest
	var timeout time.Duration
	var user string
	cmd := a.command("clock [USER_ID]", "Show a sandbox user's clock, or advance it: what is due until then happens now",
		func(ctx context.Context, args []string) error {
			view, err := a.actingFor(cmp.Or(strings.Join(args, ""), user))
			if err != nil {
				return err
			}
			call := view.Sandbox.GetClock
			if advance != (aviso.AdvanceClockRequest{}) {
				call = func(ctx context.Context, opts ...aviso.RequestOption) (*aviso.Clock, error) {
					return view.Sandbox.AdvanceClock(ctx, advance, opts...)
				}
			}
			current, err := call(ctx)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			if current, err = a.awaitReady(ctx, view, *current); err != nil {
				return err
			}
			return a.show(current, []string{"USER ID", "NOW", "STATUS"},
				[][]string{{current.UserID, moment(current.Now), current.Status}})
		})
	cmd.Flags().StringVar(&advance.AdvanceBy, "by", "", "advance by this time, such as P1M, P14D or PT90M (ISO 8601)")
	cmd.Flags().TimeVar(&advance.AdvanceTo, "to", time.Time{}, []string{time.RFC3339, time.DateOnly},
		"advance to this time, such as 2026-12-01T09:00:00Z or 2026-12-01")
	cmd.Flags().DurationVar(&timeout, "timeout", 15*time.Minute, "how long to wait")
	cmd.MarkFlagsMutuallyExclusive("by", "to")
	return a.userFlag(cmd, &user)
}

// awaitReady follows a clock that is being advanced, and says how far it has come.
func (a *app) awaitReady(ctx context.Context, view *aviso.UserView, c aviso.Clock) (*aviso.Clock, error) {
	said := ""
	for c.Status == advancing {
		if now := moment(c.Now); now != said {
			said = now
			a.note("%s  on the way to %s", now, moment(c.AdvancedTo))
		}
		wait(ctx)
		next, err := view.Sandbox.GetClock(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("the clock is still on its way, at %s; and the time is over", moment(c.Now))
		}
		if err != nil {
			return nil, err
		}
		c = *next
	}
	return &c, nil
}
