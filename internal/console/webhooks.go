package console

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"aviso/internal/notification"
)

// Webhooks are the services for the pages about subscriptions.
type Webhooks struct {
	Subscriptions *notification.Subscriptions
	Deliveries    *notification.Supervision
	Simulator     *notification.Simulator
	// Sign adds the headers that sign a call.
	Sign func(http.Header, notification.Call) error
}

const (
	webhooksPath = Path + "/webhooks"
	webhookPath  = webhooksPath + "/{subscription}"
)

func (c *Console) showWebhooks(call *Call) (Answer, error) {
	all, err := c.Webhooks.Subscriptions.List(call.Context(), call.Partner())
	if err != nil {
		return nil, err
	}
	recent, err := c.recentOf(call, fewForList, all...)
	if err != nil {
		return nil, err
	}
	page := pageOf("webhooks")
	page.List.Empty.Link = c.docs("/docs/guides/callbacks/", "How to receive events")
	for i, s := range all {
		newest := newestOf(recent[i])
		h := healthOf(s, newest)
		page.List.Rows = append(page.List.Rows, []any{
			Values{Link{webhooksPath + "/" + s.ID, shortAddress(s.ServerURL)}, Soft(s.Description)}, h.Badge, h.Text,
			lastAcknowledged(s, recent[i]), newest.StartedAt.Time(), eventsInWords(s.Events),
		})
	}
	return page, nil
}

// recentOf returns the newest attempts of each subscription, newest first.
func (c *Console) recentOf(
	call *Call, limit int, all ...notification.Subscription,
) ([][]notification.Attempt, error) {
	return ofEach(all, func(s notification.Subscription) ([]notification.Attempt, error) {
		page, _, err := c.Webhooks.Subscriptions.Attempts(call.Context(), s.Partner, s.ID, limit, "")
		return page, err
	})
}

// newestOf returns the first of attempts that are newest first, or the zero value.
func newestOf(recent []notification.Attempt) (newest notification.Attempt) {
	if len(recent) > 0 {
		newest = recent[0]
	}
	return newest
}

func eventsInWords(events []string) string {
	if len(events) != 1 {
		return fmt.Sprintf("%d\u00a0types", len(events))
	}
	return strings.Replace(events[0], notification.AllEvents, "All", 1)
}

// health is the state of a subscription in words.
type health struct {
	Badge Badge
	Text  string
	// Trouble is set if somebody must act.
	Trouble bool
}

// healthOf judges a subscription by its state and its newest attempt.
func healthOf(s notification.Subscription, newest notification.Attempt) health {
	switch {
	case s.Status == notification.SubscriptionPaused:
		return health{Badge{Waiting, "Paused"}, "You have paused it. No events are sent, and none are kept for later.", false}
	case s.Reason == notification.ReasonByOperator:
		return health{Badge{Bad, "Disabled"}, "The operator has disabled it. Ask the operator why.", true}
	case s.Status == notification.SubscriptionDisabled:
		return health{
			Badge{Bad, "Disabled"},
			fmt.Sprintf("Disabled after %s given up. Fix your server, then activate it.",
				countOf(s.Exhausted, "event was", "events were")), true,
		}
	case s.Exhausted > 0:
		since := ""
		if !s.FailingSince.IsZero() {
			since = " since " + s.FailingSince.Time().UTC().Format("2 January, 15:04 UTC")
		}
		return health{
			Badge{Bad, "Failing"},
			strings.TrimSpace(countOf(s.Exhausted, "event was", "events were") + " given up" + since + ". " + lastEnd(newest)), true,
		}
	case newest.ID == "":
		return health{Badge{Good, "Active"}, "No event was sent yet.", false}
	case newest.Outcome != notification.OutcomeAcknowledged:
		return health{Badge{Waiting, "Retrying"}, lastEnd(newest), true}
	}
	return health{Badge{Good, "Active"}, "", false}
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped formats a count with separators: 55,617.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// silence says how long nothing has been acknowledged.
func silence(acknowledged, now time.Time) string {
	if acknowledged.IsZero() {
		return "Nothing was ever acknowledged."
	}
	return "The last acknowledgement was " + Ago(now, acknowledged) + "."
}

// lastEnd describes the result of the newest attempt.
func lastEnd(a notification.Attempt) string {
	if a.ID == "" || a.Outcome == notification.OutcomeAcknowledged {
		return ""
	}
	return "The last attempt: " + outcomeBadge(a).Text + "."
}

// shortAddress is an address without its query, as the name of a subscription.
func shortAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host + u.Path
}
