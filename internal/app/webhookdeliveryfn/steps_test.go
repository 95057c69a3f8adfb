package webhookdeliveryfn

import (
	"time"

	"pgregory.net/rapid"

	"aviso/internal/notification"
	"aviso/internal/owner"
)

// step is something that happens in a history.
type step struct {
	After time.Duration
	Kind  string
	// Partner and Subscription choose among those there are, Type and Status
	// among the values.
	Partner, Subscription, Type, Status int
}

var (
	historyPartners = []owner.PartnerID{"p", "q", "r"}
	historyTypes    = []string{"webhook.ping", "user.erased", "cancellation.sent"}
	historyStatuses = []notification.SubscriptionStatus{notification.SubscriptionActive, notification.SubscriptionPaused}
)

func drawSteps(t *rapid.T) []step {
	// Every partner begins with a subscription to everything.
	begin := []step{{Kind: "create", Type: 3}, {Kind: "create", Type: 3, Partner: 1}, {Kind: "create", Type: 3, Partner: 2}}
	return append(begin, rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			After: time.Duration(rapid.IntRange(0, 900).Draw(t, "seconds")) * time.Second,
			Kind: rapid.SampledFrom(
				[]string{"emit", "emit", "emit", "emit", "burst", "create", "create", "status", "status", "events", "delete"},
			).
				Draw(t, "kind"),
			Partner:      rapid.IntRange(0, 2).Draw(t, "partner"),
			Subscription: rapid.IntRange(0, 9).Draw(t, "subscription"),
			Type:         rapid.IntRange(0, 3).Draw(t, "type"),
			Status:       rapid.IntRange(0, 1).Draw(t, "status"),
		}
	}), 5, 60).Draw(t, "steps")...)
}
