package contract

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/overdue"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// EventDeadlineApproaching is the type of the event about a contract's deadline.
const EventDeadlineApproaching = "contract.deadline_approaching"

// DeadlineEventData is the data of EventDeadlineApproaching.
type DeadlineEventData struct {
	SubscriptionID string   `json:"subscriptionId"`
	OrganizationID string   `json:"organizationId"`
	ProductID      string   `json:"productId"`
	ContractStart  pfm.Date `json:"contractStart"`
	// StartSource is StartFirstPayment or StartUser.
	StartSource string   `json:"contractStartSource"`
	EarliestEnd pfm.Date `json:"earliestEnd"`
	Channel     string   `json:"channel"`
	SendBy      pfm.Date `json:"sendBy"`
	NextChance  pfm.Date `json:"nextChance"`
	// Certainty is Exact, or Latest if the law is not known.
	Certainty string `json:"certainty" enum:"Exact,Latest"`
}

// The sources of a contract's first day.
const (
	StartFirstPayment = "FirstPayment"
	StartUser         = "User"
)

const (
	// firstNotice and lastNotice are how many days before the last day to send partners
	// are notified.
	firstNotice = 30
	lastNotice  = 7
	// leastBinding is how many days longer a contract must run, if its deadline is missed,
	// for partners to be notified. A contract that can end every month has a deadline every
	// month, which nobody wants to hear of.
	leastBinding = 31
	// usersAtOnce is how many users of a shard are handled at once.
	usersAtOnce = 4
	// longestCheck is the longest time between checks. The catalogue's terms may change.
	longestCheck = 30 * 24 * time.Hour
	// noticesFrom is when a day's notices begin, in UTC, and noticeSpread how long they take.
	noticesFrom, noticeSpread = 4 * time.Hour, 4 * time.Hour
)

// binds reports whether a contract runs long if its deadline is missed.
func binds(d *pfm.ContractDeadline) bool {
	return d != nil && len(d.SendBy) > 0 && d.NextChance > d.EarliestFreeEnd.AddDays(leastBinding)
}

// DeadlineWatch notifies partners before users' contracts must be cancelled. Its
// housekeeping checks the contracts of the users whose turn it is.
type DeadlineWatch struct {
	*overdue.Housekeeping
	store Store
	terms terms
	now   func() time.Time
}

// NewDeadlineWatch returns the service.
func NewDeadlineWatch(
	store Store, cancellables FindCancellables, deadlines FindDeadlines, now func() time.Time,
) *DeadlineWatch {
	w := &DeadlineWatch{store: store, terms: terms{cancellables, deadlines}, now: now}
	w.Housekeeping = overdue.New(store.DueShards, now, overdue.Work[Notes]{
		Kind: "Contracts", AtOnce: usersAtOnce, Due: store.DueContracts,
		Owner: func(n Notes) owner.User { return n.Owner },
		At:    func(n Notes) time.Time { return n.CheckAt }, Do: w.check,
	})
	return w
}

// check computes the deadlines of a user's contracts, and stores the notices that are due
// with the time of the next check.
func (w *DeadlineWatch) check(ctx context.Context, n Notes) error {
	list, err := w.store.Subscriptions(ctx, n.Owner)
	if err != nil {
		return fmt.Errorf("read contracts: %w", err)
	}
	now := clock.Now(ctx, w.now)
	list = running(list, pfm.DateOf(now))
	if err := w.terms.complete(ctx, list, n.Facts); err != nil {
		return err
	}
	watches, err := w.store.Watches(ctx, n.Owner)
	if err != nil {
		return fmt.Errorf("read watches: %w", err)
	}
	events := n.notify(list, watches, now)
	if err := w.store.SaveContractNotes(ctx, n, events...); err != nil {
		return fmt.Errorf("save notices: %w", err)
	}
	return nil
}

// isCancelled reports whether a letter that cancels the contract was sent.
func isCancelled(c Subscription, watches []Watch) bool {
	return slices.ContainsFunc(watches, func(w Watch) bool { return !w.Stopped && w.Contract.SubscriptionID == c.ID })
}

// notify returns the events that are due for the contracts that are not cancelled, and sets
// CheckAt.
func (n *Notes) notify(list []Subscription, watches []Watch, now time.Time) []pfm.Event {
	// A notice of a day that is over will not be due again.
	notified := map[string]DeadlineNotice{}
	maps.Copy(notified, n.Notified)
	n.Notified = notified
	maps.DeleteFunc(notified, func(_ string, notice DeadlineNotice) bool { return notice.SendBy < pfm.DateOf(now) })
	n.CheckAt = time.Time{}
	if len(list) > 0 {
		n.CheckAt = now.Add(longestCheck)
	}
	var events []pfm.Event
	for _, c := range list {
		if !binds(c.Deadline) {
			continue
		}
		first, due := c.Deadline.SendBy[0], 0
		for _, days := range []int{firstNotice, lastNotice, -1} {
			at := n.noticeAt(first.Date, days)
			switch {
			case !at.After(now):
				due = days
			case at.Before(n.CheckAt):
				n.CheckAt = at
			}
		}
		last := n.Notified[c.ID]
		if due <= 0 || last.SendBy == first.Date && last.Days <= due || isCancelled(c, watches) {
			continue
		}
		n.Notified[c.ID] = DeadlineNotice{SendBy: first.Date, Days: due}
		events = append(events, pfm.Event{Type: EventDeadlineApproaching, At: now, Data: DeadlineEventData{
			SubscriptionID: c.ID, OrganizationID: c.Cancellable.OrganizationID, ProductID: c.Cancellable.ProductID,
			ContractStart: c.Start, StartSource: c.StartSource, EarliestEnd: c.Deadline.EarliestFreeEnd,
			Channel: first.Channel, SendBy: first.Date, NextChance: c.Deadline.NextChance,
			Certainty: c.Deadline.Certainty,
		}})
	}
	return events
}

// noticeAt returns the time of the notice days before a day, at a different time of the
// morning for each user.
func (n *Notes) noticeAt(day pfm.Date, days int) time.Time {
	h := fnv.New32a()
	_, _ = h.Write([]byte(n.Owner.Key()))
	spread := (noticeSpread * time.Duration(h.Sum32()>>16) >> 16).Truncate(time.Second)
	return day.AddDays(-days).Time().Add(noticesFrom + spread)
}

// NextCheck returns when the user's contracts are to be checked; zero if never.
func (w *DeadlineWatch) NextCheck(ctx context.Context, user owner.User) (time.Time, error) {
	n, err := w.store.ContractNotes(ctx, user)
	if err != nil {
		return time.Time{}, fmt.Errorf("read notes on contracts: %w", err)
	}
	return n.CheckAt, nil
}

// CheckIfDue checks one user's contracts if it is time.
func (w *DeadlineWatch) CheckIfDue(ctx context.Context, user owner.User) error {
	n, err := w.store.ContractNotes(ctx, user)
	if err != nil {
		return fmt.Errorf("read notes on contracts: %w", err)
	}
	if n.CheckAt.IsZero() || n.CheckAt.After(clock.Now(ctx, w.now)) {
		return nil
	}
	if err := w.check(ctx, n); !errors.Is(err, outcome.ErrChanged) && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	return nil
}
