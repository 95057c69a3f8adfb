package pfm

import "time"

// Event notifies partners of a change to a connection. It is stored together with the
// change.
type Event struct {
	Type string
	At   time.Time
	// Data marshals to the JSON object that the type's schema describes.
	Data any
}
