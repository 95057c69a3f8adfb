package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"aviso.example/cli/internal/listen"
	aviso "aviso.example/client"
)

func (a *app) webhooks() *cobra.Command {
	events := a.command("events", "List the types of events", func(ctx context.Context, _ []string) error {
		client, err := a.client()
		if err != nil {
			return err
		}
		types, err := client.Webhooks.ListEventTypes(ctx)
		if err != nil {
			return err
		}
		return list(a, "events", types, []string{"EVENT", "WHAT HAS HAPPENED"},
			func(t aviso.EventType) []string { return []string{t.EventType, t.Description} })
	})
	return group("webhooks", "Receive and simulate callbacks", a.listen(), a.trigger(), events, a.attempts())
}

func (a *app) listen() *cobra.Command {
	var options listen.Options
	cmd := a.command("listen", "Receive callbacks on this machine and show them",
		func(ctx context.Context, _ []string) error {
			options.JSON, options.Secrets = a.json, a.Getenv("AVISO_WEBHOOK_SECRET")
			return listen.Listen(ctx, options, func() (listen.Service, error) {
				l, err := a.credentials()
				if err != nil {
					return listen.Service{}, err
				}
				client, err := newClient(l)
				return listen.Service{Client: client, BaseURL: l.BaseURL, IsLocal: isLocal(l.BaseURL)}, err
			}, a.Out)
		})
	cmd.Long = `Receive callbacks on this machine, verify them, show them and acknowledge them. It subscribes
to all events until it ends. With --forward-to, your own receiver gets each callback as it
came, signature included, and its answer counts. --fail and the like answer wrongly, so that
you can see what follows.

A local stack reaches this machine, and so does another environment through a tunnel: give its
address with --url. Without one, the sandbox acknowledges each callback, and aviso reads from
the API what was sent. It signs that again for --forward-to, so that your receiver can verify
it. Your receiver's answer then changes nothing for the service; at the end aviso lists what
was not acknowledged. Production has no sandbox: there you need a tunnel.

If AVISO_WEBHOOK_SECRET has the key of a subscription of yours, or several with spaces in
between, it subscribes to nothing, and needs no login.`
	cmd.Example = `  aviso webhooks listen --forward-to http://localhost:4000/webhooks
  aviso webhooks listen --fail=2`
	options.Declare(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("poll", "url")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("unexpected argument %q; write a number with an equals sign, such as --fail=2", args[0])
		}
		return nil
	}
	return cmd
}

func (a *app) trigger() *cobra.Command {
	var event aviso.SimulateEventRequest
	data := ""
	cmd := a.command("trigger EVENT", "Simulate an event, such as webhook.ping",
		func(ctx context.Context, args []string) error {
			event.EventType = args[0]
			if data != "" {
				if err := json.Unmarshal([]byte(data), &event.Data); err != nil {
					return usage("--data must be a JSON object: %w", err)
				}
			}
			client, err := a.client()
			if err != nil {
				return err
			}
			made, err := client.Webhooks.SimulateEvent(ctx, event)
			if err != nil {
				return err
			}
			return a.show(made, []string{"EVENT ID", "EVENT"}, [][]string{{made.EventID, made.EventType}})
		})
	cmd.Flags().StringVar(&event.SubscriptionID, "subscription", "", "send it only to this subscription")
	cmd.Flags().StringVar(&data, "data", "", "JSON for the event (default the type's example)")
	return a.userFlag(cmd, &event.UserID)
}

func (a *app) attempts() *cobra.Command {
	follow, limit := false, 0
	cmd := a.command("attempts SUBSCRIPTION_ID", "Show a subscription's deliveries and how they ended",
		func(ctx context.Context, args []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			if follow {
				return a.followAttempts(ctx, client, args[0])
			}
			all, err := aviso.Collect(take(a, client.Webhooks.ListDeliveryAttempts(ctx, args[0],
				&aviso.ListDeliveryAttemptsParams{Limit: pageFor(limit)}), limit))
			if err != nil {
				return err
			}
			return list(a, "attempts", all,
				[]string{"STARTED", "EVENT", "EVENT ID", "ATTEMPT", "OUTCOME", "STATUS", "NEXT", "DETAIL"}, attemptRow)
		})
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show new ones until Ctrl-C")
	return limitFlag(cmd, &limit)
}

func attemptRow(t aviso.DeliveryAttempt) []string {
	status := ""
	if t.HTTPStatus != 0 {
		status = strconv.Itoa(t.HTTPStatus)
	}
	return []string{moment(t.StartedAt), t.EventType, t.EventID, strconv.Itoa(t.AttemptNumber), t.Outcome, status,
		moment(t.NextAttemptAt), t.Detail}
}

// followAttempts prints each attempt once. The newest page is enough: it is read every second.
func (a *app) followAttempts(ctx context.Context, client *aviso.Client, id string) error {
	known := map[string]bool{}
	for ; ctx.Err() == nil; wait(ctx) {
		page, err := client.Webhooks.ListDeliveryAttemptsPage(ctx, id, &aviso.ListDeliveryAttemptsParams{Limit: pageSize})
		if ctx.Err() != nil {
			return nil //nolint:nilerr // Ctrl-C ends it as it should
		}
		if err != nil {
			return err
		}
		slices.SortFunc(page.Items, func(x, y aviso.DeliveryAttempt) int { return x.StartedAt.Compare(y.StartedAt) })
		for _, t := range page.Items {
			if known[t.AttemptID] {
				continue
			}
			known[t.AttemptID] = true
			if a.json {
				line, _ := json.Marshal(t) // cannot fail
				fmt.Fprintln(a.Out, string(line))
			} else {
				fmt.Fprintln(a.Out, printable(strings.Join(strings.Fields(strings.Join(attemptRow(t), "  ")), "  ")))
			}
		}
	}
	return nil
}
