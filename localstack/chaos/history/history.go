// Package history holds what a run of make chaos saw from outside: what clients sent and
// were answered, and what the carriers and the partners' receivers got. Judge says what in
// it breaks a promise of the service. It knows nothing of how the service works inside.
package history

import (
	"math"
	"time"
)

// History is everything that was seen. Times called At, Begun or Ended are since the start
// of the run, on this machine's clock.
type History struct {
	Users         []User
	Calls         []Call
	Intents       []Intent
	Letters       []Letter
	Withdrawals   []Withdrawal
	Erasures      []Erasure
	Cancellations []Cancellation
	Subscriptions []Subscription
	Events        []Event
	Callbacks     []Callback
	Attempts      []Attempt
	Sums          []Sum
	Counts        []Count
	// Strays are rows that name an erased user, Leaks answers about another partner's user.
	Strays, Leaks []Stray
}

// Call is one try of a request that changes something. A client that gets no answer sends
// the request again with the same key, which is another call.
type Call struct {
	Partner, User, Operation, Key string
	// Intent is what the call is to achieve, if it asks for a cancellation.
	Intent       string `json:",omitempty"`
	Begun, Ended time.Duration
	// Status is that of the answer, and zero without one.
	Status int
	// Code is the problem's code.
	Code string `json:",omitempty"`
	// Object is the ID of the object that a success names.
	Object string `json:",omitempty"`
}

// Intent is one wish to cancel one product for one user. A user never wants to cancel the
// same product twice, so user and product name the intent, too.
type Intent struct {
	ID, Partner, User, Product string
	// Fallback is true if the first channel of the product reports a failure, so that
	// the letter goes on to the next one.
	Fallback bool
}

// Letter is a letter that a carrier has accepted to send.
type Letter struct {
	Cancellation, Channel string
	// Carrier is the carrier's ID of the letter.
	Carrier string
	At      time.Duration
}

// Withdrawal is a cancellation that the service says was withdrawn.
type Withdrawal struct {
	Cancellation string
	Ended        time.Duration
}

// Never is the end of an erasure that nobody knows to be accepted.
const Never = time.Duration(math.MaxInt64)

// Erasure is a request to erase a user.
type Erasure struct {
	Partner, User, ID string
	// Ended is when it was accepted.
	Ended time.Duration
	// Complete is true once the receipt says so.
	Complete bool
}

// Cancellation is a cancellation as its list showed it last.
type Cancellation struct {
	Partner, User, ID, Product, Status, Reason string
}

// Subscription is a subscription that stays until the end, for all events.
type Subscription struct {
	Partner, ID string
	// Since is when the client knew of it.
	Since time.Duration
}

// Event is an event that the client has caused.
type Event struct {
	Partner, User, ID, Type string
	Begun                   time.Duration
}

// Callback is what a receiver got.
type Callback struct {
	// Partner and Subscription are those of the receiver.
	Partner, Subscription string
	Event, Type           string
	// User and Cancellation are what the callback says it is about.
	User, Cancellation string
	At                 time.Duration
	// Genuine is true if a key of the subscription has signed it.
	Genuine bool
	// Signatures is how many keys have signed it.
	Signatures int
	// Acknowledged is true if the receiver has answered as documented.
	Acknowledged bool
}

// Attempt is an attempt as the service lists it, with the service's times.
type Attempt struct {
	Partner, Subscription, Event, Type string
	Number                             int
	Outcome                            string
	StartedAt                          time.Time
	// NextAt is zero if no attempt follows.
	NextAt time.Time
}

// Sum compares an insight with the transactions that it sums up.
type Sum struct {
	User, Of        string
	Listed, Insight string
}

// Count is a number with its limits.
type Count struct {
	What, Owner     string
	N, Least, Limit int
	// Passing is true if more time may change the number.
	Passing bool `json:",omitempty"`
}

// Stray is something in a place where it must not be.
type Stray struct {
	What, Where string
	// Passing is true if more time may remove it.
	Passing bool `json:",omitempty"`
}

// User is a user that a client has created.
type User struct{ Partner, ID string }
