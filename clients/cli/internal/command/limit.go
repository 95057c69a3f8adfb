package command

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// limitFlag adds the flag for how much of a list is printed.
func limitFlag(cmd *cobra.Command, limit *int) *cobra.Command {
	cmd.Flags().IntVarP(limit, "limit", "n", 0, "print at most so many, the first ones; 0 prints all")
	return cmd
}

// pageFor returns the size of a page for a limit.
func pageFor(limit int) int {
	if limit > 0 && limit < pageSize {
		return limit
	}
	return pageSize
}

// take yields a list up to a limit. It says so if there is more, because a list that ends looks like the whole.
func take[T any](a *app, all iter.Seq2[T, error], limit int) iter.Seq2[T, error] {
	if limit <= 0 {
		return all
	}
	return func(yield func(T, error) bool) {
		taken := 0
		for item, err := range all {
			if err == nil && taken == limit {
				a.note("These are the first %d. There are more: --limit 0 prints all.", limit)
				return
			}
			taken++
			if !yield(item, err) {
				return
			}
		}
	}
}

func (a *app) cancellations() *cobra.Command {
	user, limit := "", 0
	params := aviso.ListCancellationsParams{}
	listing := a.command("list", "List a user's cancellations, the newest first", func(ctx context.Context, _ []string) error {
		view, err := a.actingFor(user)
		if err != nil {
			return err
		}
		params.Limit = pageFor(limit)
		found, err := aviso.Collect(take(a, view.Cancellations.List(ctx, &params), limit))
		if err != nil {
			return err
		}
		return list(a, "cancellations", found, []string{"CANCELLATION ID", "CREATED", "STATUS", "REASON", "CHANNEL", "OUTCOME", "YOUR ID"},
			func(c aviso.Cancellation) []string {
				return []string{c.CancellationID, moment(c.CreatedAt), c.Status, c.StatusReason, c.Channel, c.Outcome,
					c.ExternalCancellationRequestIdentifier}
			})
	})
	listing.Flags().StringVar(&params.Status, "status", "", "only with this status, such as Delivered")
	listing.Flags().StringVar(&params.ExternalCancellationRequestIdentifier, "external-id", "", "only with this identifier of yours")
	return group("cancellations", "See what happened to a user's cancellations", a.userFlag(limitFlag(listing, &limit), &user))
}
