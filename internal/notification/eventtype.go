package notification

import "encoding/json"

// EventType describes the events of one type.
type EventType struct {
	Type        string
	Description string
	// Schema is the JSON Schema (2020-12) of data; Example is valid against it.
	Schema, Example json.RawMessage
}
