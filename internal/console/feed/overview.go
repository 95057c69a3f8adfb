package feed

import (
	"strings"
	"time"
)

// Window is the time that an overview is about.
type Window int

// The windows.
const (
	// Day is the last 24 hours, hour by hour.
	Day Window = iota
	// Month is the last 30 days, day by day.
	Month
)

// Overview is what a partner's stack did in a window: the oldest point first.
type Overview []Point

// Point is one hour or day, in UTC.
type Point struct {
	At     time.Time
	Counts Counts
}

// Counts says how often each thing happened. The names are the counters below; the name of one that
// ends with a dot goes on with a value.
type Counts map[string]int

// The counters.
const (
	// CountRequests includes CountRefused, answers with 4xx, and CountBroken, those with 5xx.
	CountRequests = "requests"
	CountRefused  = "refused"
	CountBroken   = "broken"
	// CountRoute and CountFailedRoute are requests by "GET /path".
	CountRoute       = "route."
	CountFailedRoute = "failedRoute."
	// CountCallbacks are counted by outcome, CountLetters and CountConnections by the state they entered.
	CountCallbacks   = "callbacks."
	CountLetters     = "letters."
	CountConnections = "connections."
)

// Total adds up all points.
func (o Overview) Total() Counts {
	total := Counts{}
	for _, p := range o {
		total.Add(p.Counts)
	}
	return total
}

// Add adds other counts to c.
func (c Counts) Add(other Counts) {
	for name, n := range other {
		c[name] += n
	}
}

// Of returns the values of a counter.
func (c Counts) Of(counter string) Counts {
	values := Counts{}
	for name, n := range c {
		if value, ok := strings.CutPrefix(name, counter); ok {
			values[value] = n
		}
	}
	return values
}

// Sum returns the sum of all counts.
func (c Counts) Sum() (sum int) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// Entered returns the state that an event says a connection or a letter has entered, and the counter
// of such states; "" if it says nothing of the kind.
func Entered(eventType string) (counter, state string) {
	state = map[string]string{
		"connection.activated": "Active", "connection.failed": "Failed", "connection.expired": "Expired",
		"connection.action_required": "ActionRequired", "connection.revoked": "Revoked",
		"connection.deleted": "Deleted", "cancellation.created": "Created", "cancellation.queued": "Queued",
		"cancellation.sent": "Sent", "cancellation.delivered": "Delivered", "cancellation.confirmed": "Confirmed",
		"cancellation.delivery_failed": "DeliveryFailed", "cancellation.rejected": "Rejected",
		"cancellation.withdrawn": "Withdrawn",
	}[eventType]
	switch {
	case state == "":
		return "", ""
	case strings.HasPrefix(eventType, "connection."):
		return CountConnections, state
	}
	return CountLetters, state
}

// IsRoutine reports whether an event of this type says that all goes on as it does.
func IsRoutine(eventType string) bool {
	return eventType == "connection.refreshed" || eventType == "transactions.updated"
}
