package feed

import (
	"strings"
	"time"
)

// Window is the period of an overview.
type Window int

// The windows.
const (
	// Day is the last 24 hours, hour by hour.
	Day Window = iota
	// Month is the last 30 days, day by day.
	Month
)

// Overview has a partner's counts in a window, the oldest point first.
type Overview []Point

// Point is one hour or day, in UTC.
type Point struct {
	At     time.Time
	Counts Counts
}

// Counts maps the counters below to counts. A counter that ends with a dot is a prefix of names.
type Counts map[string]int

// The counters.
const (
	// CountRequests includes CountRefused, responses with 4xx, and CountBroken, those with 5xx.
	CountRequests = "requests"
	CountRefused  = "refused"
	CountBroken   = "broken"
	// CountRoute and CountFailedRoute are requests by "GET /path".
	CountRoute       = "route."
	CountFailedRoute = "failedRoute."
	// CountCallbacks has counts by outcome. CountLetters and CountConnections have counts by the state that was
	// entered.
	CountCallbacks   = "callbacks."
	CountLetters     = "letters."
	CountConnections = "connections."
)

// Total adds all points.
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

// Of returns the counts by value of a counter.
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

// Entered returns the state that a connection or a letter has entered by an event, and the counter of such states; ""
// for other events.
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

// IsRoutine reports whether events of this type are routine, such as a successful refresh.
func IsRoutine(eventType string) bool {
	return eventType == "connection.refreshed" || eventType == "transactions.updated"
}
