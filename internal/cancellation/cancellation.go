package cancellation

import (
	"slices"
	"time"

	"aviso/internal/owner"
)

// Status is where a cancellation stands.
type Status string

// The states.
const (
	StatusCreated Status = "Created"
	StatusQueued  Status = "Queued"
	// StatusSending: a worker is handing the letter to a carrier, or was and has
	// not been heard of. Shown as Queued.
	StatusSending        Status = "Sending"
	StatusSent           Status = "Sent"
	StatusDelivered      Status = "Delivered"
	StatusConfirmed      Status = "Confirmed"
	StatusDeliveryFailed Status = "DeliveryFailed"
	StatusRejected       Status = "Rejected"
	StatusWithdrawn      Status = "Withdrawn"
)

// transitions are all steps a cancellation can take. What comes back from a
// carrier leads to Queued again while there is another channel.
var transitions = map[Status][]Status{
	StatusCreated:   {StatusQueued, StatusWithdrawn},
	StatusQueued:    {StatusSending, StatusWithdrawn, StatusDeliveryFailed},
	StatusSending:   {StatusSent, StatusQueued, StatusDeliveryFailed},
	StatusSent:      {StatusDelivered, StatusQueued, StatusDeliveryFailed, StatusConfirmed, StatusRejected},
	StatusDelivered: {StatusQueued, StatusDeliveryFailed, StatusConfirmed, StatusRejected},
}

// mayBecome tells whether the step is one a cancellation can take.
func (s Status) mayBecome(next Status) bool { return slices.Contains(transitions[s], next) }

// Shown is the status as partners see it.
func (s Status) Shown() Status {
	if s == StatusSending {
		return StatusQueued
	}
	return s
}

// Waiting tells whether a letter has yet to be handed to a carrier.
func (s Status) Waiting() bool {
	return s == StatusCreated || s == StatusQueued || s == StatusSending
}

// StatusReason tells why a cancellation stands where it does; mostly empty.
type StatusReason string

// The reasons. Those of StatusDeliveryFailed are what the last carrier said.
const (
	ReasonNone StatusReason = ""
	// Of StatusRejected: what the organization answered.
	ReasonUserNotFound     StatusReason = "UserNotFound"
	ReasonInconsistentData StatusReason = "InconsistentData"
	ReasonAlreadyCancelled StatusReason = "AlreadyCancelled"
	ReasonBindingPeriod    StatusReason = "BindingPeriod"
	// Of StatusDeliveryFailed.
	ReasonUndeliverable      StatusReason = "Undeliverable"
	ReasonCarrierRefused     StatusReason = "CarrierRefused"
	ReasonCarrierUnavailable StatusReason = "CarrierUnavailable"
)

// Cancellation is a user's request to end one contract, and what became of it.
type Cancellation struct {
	// ID is a UUIDv7: later requests have greater ids.
	ID    string
	Owner owner.User
	// ExternalID is the partner's own identifier; empty where there is none.
	ExternalID                string
	OrganizationID, ProductID string
	Locale                    Locale
	Status                    Status
	Reason                    StatusReason
	CreatedAt, UpdatedAt      time.Time
	LetterSHA256              string
	TrackingNumber            string
	// History has each status that partners were shown, oldest first.
	History []Step
	// Channels are those that may be taken, in order; Turn is the index of the
	// one whose turn it is.
	Channels     []Channel
	ChannelIndex int
	// Way is how far the letter has come by that channel.
	Delivery Delivery
	// NextTryAt is when housekeeping wakes letter-dispatch, should nobody else
	// have done so; zero when the letter is not waiting.
	NextTryAt time.Time
	// AtCarriers are the letters that carriers may keep, of all channels.
	AtCarriers []CarrierLetter
	// Stored is how much of the two lists above the store has; what is new is
	// written with its events and pointers.
	Stored  Stored
	Version int64
}

// Stored are lengths of lists.
type Stored struct{ History, AtCarriers int }

// Step is one entry of the history.
type Step struct {
	Status Status
	At     time.Time
}

// Way is the try to bring a letter by one channel.
type Delivery struct {
	// ShipmentID names it to the carrier; empty before the first try.
	ShipmentID string
	// LeaseUntil is until when the worker that set StatusSending may work on it.
	LeaseUntil time.Time
	// Since is when the first try began, TriedAt when the last one did whose end
	// is not known, or zero.
	Since, TriedAt time.Time
	Tries          int
	Reference      string
}

// CarrierLetter is a letter as a carrier knows it. Deleted: the carrier has been
// asked to keep nothing of it.
type CarrierLetter struct {
	Channel   ChannelKind
	Reference string
	Deleted   bool
}

// keptAtCarriers tells whether a carrier may still keep something.
func (c Cancellation) keptAtCarriers() bool {
	return slices.ContainsFunc(c.AtCarriers, func(l CarrierLetter) bool { return !l.Deleted })
}

// Channel is the one whose turn it is.
func (c Cancellation) Channel() Channel {
	if c.ChannelIndex < len(c.Channels) {
		return c.Channels[c.ChannelIndex]
	}
	return Channel{}
}

// move takes a step, if it is one a cancellation can take, and tells whether it
// was. Only what partners see goes into the history.
func (c *Cancellation) move(to Status, reason StatusReason, now time.Time) bool {
	if !c.Status.mayBecome(to) {
		return false
	}
	if to.Shown() != c.Status.Shown() {
		c.History = append(c.History, Step{Status: to, At: now})
	}
	c.Status, c.Reason, c.UpdatedAt = to, reason, now
	if !to.Waiting() {
		c.NextTryAt = time.Time{}
	}
	return true
}

// wakeAfter is how long after a message was left for letter-dispatch it counts
// as lost.
const wakeAfter = 5 * time.Minute

// failChannel takes the next channel, or ends in DeliveryFailed when that was
// the last one. It tells whether letter-dispatch has to be woken.
func (c *Cancellation) failChannel(reason StatusReason, now time.Time) bool {
	c.Delivery = Delivery{}
	if c.ChannelIndex+1 >= len(c.Channels) {
		c.move(StatusDeliveryFailed, reason, now)
		return false
	}
	c.ChannelIndex++
	c.TrackingNumber = ""
	c.move(StatusQueued, ReasonNone, now)
	c.NextTryAt = now.Add(wakeAfter)
	return true
}

// remember keeps what a carrier calls the letter.
func (c *Cancellation) remember(reference string) {
	c.Delivery.Reference = reference
	letter := CarrierLetter{Channel: c.Channel().Kind, Reference: reference}
	if reference != "" && letter.Channel != ChannelEmail && !slices.Contains(c.AtCarriers, letter) {
		c.AtCarriers = append(c.AtCarriers, letter)
	}
}

// eraseJobs are the jobs that a withdrawal leaves: a carrier may keep a letter
// that it was never told to send.
func (c Cancellation) eraseJobs() []Job {
	if !c.keptAtCarriers() {
		return nil
	}
	return []Job{c.job(JobErase)}
}

// Job is a message to letter-dispatch.
type Job struct {
	Kind           JobKind         `json:"kind"`
	Partner        owner.PartnerID `json:"partner"`
	User           owner.UserID    `json:"user"`
	CancellationID string          `json:"cancellationId"`
}

// JobKind is what letter-dispatch is asked for.
type JobKind string

// The kinds.
const (
	// JobSend: hand the letter to a carrier.
	JobSend JobKind = "send"
	// JobErase: delete what carriers keep of the letters.
	JobErase JobKind = "erase"
)

func (c Cancellation) job(kind JobKind) Job {
	return Job{Kind: kind, Partner: c.Owner.Partner, User: c.Owner.ID, CancellationID: c.ID}
}
