package cancellation

import (
	"slices"
	"time"

	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/owner"
)

// Status is the status of a cancellation.
type Status string

// The states.
const (
	StatusCreated Status = "Created"
	StatusQueued  Status = "Queued"
	// StatusSending means that a worker is handing the letter to a carrier, or
	// stopped while doing so. Partners see it as Queued.
	StatusSending        Status = "Sending"
	StatusSent           Status = "Sent"
	StatusDelivered      Status = "Delivered"
	StatusConfirmed      Status = "Confirmed"
	StatusDeliveryFailed Status = "DeliveryFailed"
	StatusRejected       Status = "Rejected"
	StatusWithdrawn      Status = "Withdrawn"
)

// transitions are all allowed status changes. A letter that a carrier returns goes
// back to Queued as long as there is another channel.
var transitions = map[Status][]Status{
	StatusCreated:   {StatusQueued, StatusWithdrawn},
	StatusQueued:    {StatusSending, StatusWithdrawn, StatusDeliveryFailed},
	StatusSending:   {StatusSent, StatusQueued, StatusDeliveryFailed},
	StatusSent:      {StatusDelivered, StatusQueued, StatusDeliveryFailed, StatusConfirmed, StatusRejected},
	StatusDelivered: {StatusQueued, StatusDeliveryFailed, StatusConfirmed, StatusRejected},
}

// mayBecome reports whether a cancellation may change from s to next.
func (s Status) mayBecome(next Status) bool { return slices.Contains(transitions[s], next) }

// Shown returns the status that partners see.
func (s Status) Shown() Status {
	if s == StatusSending {
		return StatusQueued
	}
	return s
}

// Waiting reports whether the letter has not been handed to a carrier yet.
func (s Status) Waiting() bool {
	return s == StatusCreated || s == StatusQueued || s == StatusSending
}

// StatusReason is the reason for a status. It is often empty.
type StatusReason string

// The reasons. Those of StatusDeliveryFailed come from the last carrier.
const (
	ReasonNone StatusReason = ""
	// With StatusRejected: the organization's answer.
	ReasonUserNotFound     StatusReason = "UserNotFound"
	ReasonInconsistentData StatusReason = "InconsistentData"
	ReasonAlreadyCancelled StatusReason = "AlreadyCancelled"
	ReasonBindingPeriod    StatusReason = "BindingPeriod"
	// With StatusDeliveryFailed.
	ReasonUndeliverable      StatusReason = "Undeliverable"
	ReasonCarrierRefused     StatusReason = "CarrierRefused"
	ReasonCarrierUnavailable StatusReason = "CarrierUnavailable"
	// With StatusWithdrawn: the user was erased before the letter was handed over.
	// Partners never see it.
	ReasonUserErased StatusReason = "UserErased"
)

// Cancellation is a user's request to cancel one contract, and its progress. What has no
// attribute has one of another form in cancellationdb.
type Cancellation struct {
	// ID is a UUIDv7, so IDs sort by time.
	ID    string     `dynamodbav:"id"`
	Owner owner.User `dynamodbav:"-"`
	// ExternalID is the partner's own identifier. It is optional.
	ExternalID     string `dynamodbav:"externalId,omitempty"`
	OrganizationID string `dynamodbav:"organizationId"`
	ProductID      string `dynamodbav:"productId"`
	// SubscriptionID is the recurring contract in the user's account; empty if unknown.
	SubscriptionID string `dynamodbav:"subscriptionId,omitempty"`
	Locale         Locale `dynamodbav:"locale"`
	// EndDate is the last day of the contract that the letter asks for. If it is empty, the
	// letter asks for the earliest one.
	EndDate deadline.Date `dynamodbav:"endDate,omitempty"`
	// Cause is why the contract shall end before its term. It is zero for an ordinary
	// cancellation.
	Cause     deadline.Reason `dynamodbav:"-"`
	Status    Status          `dynamodbav:"status"`
	Reason    StatusReason    `dynamodbav:"reason,omitempty"`
	CreatedAt time.Time       `dynamodbav:"createdAt"`
	UpdatedAt time.Time       `dynamodbav:"updatedAt"`
	// Seen is what was last seen in the user's account.
	Seen           Seen   `dynamodbav:"-"`
	LetterSHA256   string `dynamodbav:"letterSha256"`
	TrackingNumber string `dynamodbav:"trackingNumber,omitempty"`
	// History has everything that happened, oldest first. Partners see Steps.
	History []Step `dynamodbav:"history"`
	// Channels are the allowed channels in order. ChannelIndex is the index of the
	// current one.
	Channels     []Channel `dynamodbav:"channels"`
	ChannelIndex int       `dynamodbav:"turn"`
	// Delivery is the progress of the delivery by the current channel.
	Delivery Delivery `dynamodbav:"way"`
	// NextTryAt is when housekeeping wakes letter-dispatch if nobody else has done so
	// before. It is zero if the letter is not waiting.
	NextTryAt time.Time `dynamodbav:"nextTryAt,omitempty"`
	// HeldAt is when the letter was last put off because the partner is disabled. That time does not count
	// as the carrier's.
	HeldAt time.Time `dynamodbav:"heldAt,omitempty"`
	// AtCarriers are the letters that carriers may still keep, for all channels.
	AtCarriers []CarrierLetter `dynamodbav:"atCarriers,omitempty"`
	// ReplyAddress is where the organization's answer is received. It is empty if none is.
	ReplyAddress string `dynamodbav:"replyAddress,omitempty"`
	// ConfirmedEnd is the last day of the contract as the organization has confirmed it. It is empty if unknown.
	ConfirmedEnd deadline.Date `dynamodbav:"confirmedEnd,omitempty"`
	// Stored is how much of History and AtCarriers is stored. The store writes new
	// elements with their events and pointers.
	Stored  Stored `dynamodbav:"-"`
	Version int64  `dynamodbav:"version"`
	// Notices are events besides those of the history. The next write stores them.
	Notices []Notice `dynamodbav:"-"`
	// Received are the documents that new steps of the history are proved by.
	Received []evidence.Received `dynamodbav:"-"`
	// Objects is set for a letter of objection or answer, which goes the same way as a cancellation.
	Objects *Objected `dynamodbav:"objects,omitempty"`
	// Objections are the letters of objection to debits after the end of the contract.
	Objections []SentObjection `dynamodbav:"objections,omitempty"`
}

// Objected has the subject of an objection, or of an answer to the organization.
type Objected struct {
	CancellationID string  `dynamodbav:"cancellationId"`
	Debits         []Debit `dynamodbav:"debits"`
	// ReplyID is the organization's mail that the letter answers. It is empty for an objection.
	ReplyID string `dynamodbav:"replyId,omitempty"`
	// EnclosureSHA256 is the digest of the evidence that goes with the letter, and
	// JoinedSHA256 that of the letter with the pages of the evidence behind it.
	EnclosureSHA256 string `dynamodbav:"enclosureSha256"`
	JoinedSHA256    string `dynamodbav:"joinedSha256"`
}

// SentObjection is a letter of objection to debits.
type SentObjection struct {
	ID             string   `dynamodbav:"id"`
	TransactionIDs []string `dynamodbav:"transactionIds"`
}

// Stored has the lengths of lists as stored, and ConfirmedEnd as stored.
type Stored struct {
	History, AtCarriers int
	ConfirmedEnd        deadline.Date
}

// Step is one entry of the history.
type Step struct {
	// Status is the new status. It is empty if partners saw no other one.
	Status Status    `dynamodbav:"status,omitempty"`
	At     time.Time `dynamodbav:"at"`
	// Fact is what happened.
	evidence.Fact
	// Said is what the recipient's server answered, such as a reply of SMTP; may be empty. It is not part of the
	// evidence, which has the carrier's whole report.
	Said string `dynamodbav:"said,omitempty"`
	// Previous is the digest of the step before. Sealed sets it.
	Previous *evidence.Digest `dynamodbav:"previous,omitempty"`
	// Delay is set by Steps if the carrier reported a delay before the next status.
	Delay *Delay `dynamodbav:"-"`
}

// Delay is a carrier's report that a letter is late: its time, its code for the reason, and Step.Said.
type Delay struct {
	At           time.Time
	Reason, Said string
}

// Delivery is the delivery of a letter by one channel.
type Delivery struct {
	// ShipmentID identifies the delivery to the carrier. It is empty before the first
	// try.
	ShipmentID string `dynamodbav:"shipmentId,omitempty"`
	// LeaseUntil is the end of the lease of the worker that set StatusSending.
	LeaseUntil time.Time `dynamodbav:"leaseUntil,omitempty"`
	// Since is the start of the first try. TriedAt is the start of the last try whose
	// result is unknown, or zero.
	Since     time.Time `dynamodbav:"since,omitempty"`
	TriedAt   time.Time `dynamodbav:"triedAt,omitempty"`
	Tries     int       `dynamodbav:"tries,omitempty"`
	Reference string    `dynamodbav:"reference,omitempty"`
}

// CarrierLetter is a letter that a carrier stores. Deleted is set once we have asked
// the carrier to delete it.
type CarrierLetter struct {
	Channel   ChannelKind `dynamodbav:"channel"`
	Reference string      `dynamodbav:"reference"`
	Deleted   bool        `dynamodbav:"deleted,omitempty"`
}

// Channel returns the current channel.
func (c Cancellation) Channel() Channel {
	if c.ChannelIndex < len(c.Channels) {
		return c.Channels[c.ChannelIndex]
	}
	return Channel{}
}

// Begun returns a new cancellation or objection as it begins, with what its letter is proved by.
func (c Cancellation) Begun(at time.Time, fact evidence.Fact) Cancellation {
	c.Status, c.CreatedAt, c.UpdatedAt, c.NextTryAt = StatusCreated, at, at, at.Add(WakeAfter)
	c.History = []Step{{Status: StatusCreated, At: at, Fact: fact}}
	return c
}

// Move changes the status if that is allowed, and reports whether it did. Only
// changes that partners see are added to the history.
func (c *Cancellation) Move(to Status, reason StatusReason, now time.Time) bool {
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

// WakeAfter is how long after it was sent a message to letter-dispatch counts as
// lost.
const WakeAfter = 5 * time.Minute

// EraseJobs returns the jobs that follow from a withdrawal: a carrier may keep a
// letter that it was never told to send.
func (c Cancellation) EraseJobs() []Job {
	if !slices.ContainsFunc(c.AtCarriers, func(l CarrierLetter) bool { return !l.Deleted }) {
		return nil
	}
	return []Job{c.Job(JobErase)}
}

// Job is a message to letter-dispatch.
type Job struct {
	Kind           JobKind         `json:"kind"`
	Partner        owner.PartnerID `json:"partner"`
	User           owner.UserID    `json:"user"`
	CancellationID string          `json:"cancellationId"`
	// Outcome is set for JobOutcome.
	Outcome *OutcomeReport `json:"outcome,omitempty"`
}

// JobKind is the kind of a job.
type JobKind string

// The kinds.
const (
	// JobSend hands the letter to a carrier.
	JobSend JobKind = "send"
	// JobErase deletes the letters that carriers keep.
	JobErase JobKind = "erase"
	// JobOutcome records whether debits came after the end of the contract.
	JobOutcome JobKind = "outcome"
)

// Job returns a job about the cancellation.
func (c Cancellation) Job(kind JobKind) Job {
	return Job{Kind: kind, Partner: c.Owner.Partner, User: c.Owner.ID, CancellationID: c.ID}
}

// Owner returns the owner of the cancellation.
func (j Job) Owner() owner.User { return owner.User{Partner: j.Partner, ID: j.User} }
