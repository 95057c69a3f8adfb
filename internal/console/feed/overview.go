package feed

import (
	"strings"
	"time"
)

// Window is the time that an Overview is about.
type Window int

// The windows.
const (
	// Day is the last 24 hours, hour by hour.
	Day Window = iota
	// Month is the last 30 days, day by day.
	Month
)

// Overview is what a partner's stack did in a window: the oldest point first.
type Overview struct{ Points []Point }

// Point is one hour or day, in UTC.
type Point struct {
	At time.Time
	Tally
}

// Tally counts what happened. The maps have no members with 0.
type Tally struct {
	// Requests includes Refused, answers with 4xx, and Broken, those with 5xx.
	Requests, Refused, Broken int
	// Routes and FailedRoutes are requests by "GET /path".
	Routes, FailedRoutes map[string]int
	// Callbacks are counted by outcome, Letters and Connections by the state they entered.
	Callbacks, Letters, Connections map[string]int
}

// Total adds up all points.
func (o Overview) Total() Tally {
	var sum Tally
	for _, p := range o.Points {
		sum.Add(p.Tally)
	}
	return sum
}

// Add adds another tally to t.
func (t *Tally) Add(other Tally) {
	t.Requests += other.Requests
	t.Refused += other.Refused
	t.Broken += other.Broken
	t.Routes = plus(t.Routes, other.Routes)
	t.FailedRoutes = plus(t.FailedRoutes, other.FailedRoutes)
	t.Callbacks = plus(t.Callbacks, other.Callbacks)
	t.Letters = plus(t.Letters, other.Letters)
	t.Connections = plus(t.Connections, other.Connections)
}

func plus(sum, other map[string]int) map[string]int {
	for name, n := range other {
		if sum == nil {
			sum = map[string]int{}
		}
		sum[name] += n
	}
	return sum
}

// Entered returns the state that an event says a connection or a letter has entered; "" if it
// says nothing of the kind.
func Entered(eventType string) (connection, letter string) {
	connections := map[string]string{
		"activated": "Active", "failed": "Failed", "action_required": "ActionRequired", "expired": "Expired",
		"revoked": "Revoked", "deleted": "Deleted",
	}
	letters := map[string]string{
		"created": "Created", "queued": "Queued", "sent": "Sent", "delivered": "Delivered", "confirmed": "Confirmed",
		"delivery_failed": "DeliveryFailed", "rejected": "Rejected", "withdrawn": "Withdrawn",
	}
	switch area, step, _ := strings.Cut(eventType, "."); area {
	case "connection":
		return connections[step], ""
	case "cancellation":
		return "", letters[step]
	}
	return "", ""
}

// IsRoutine reports whether an event of this type says that all goes on as it does.
func IsRoutine(eventType string) bool {
	return eventType == "connection.refreshed" || eventType == "transactions.updated"
}
