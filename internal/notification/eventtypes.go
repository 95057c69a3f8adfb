package notification

import (
	_ "embed" // the types
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

// EventType describes the events of one type.
type EventType struct {
	Type        string
	Description string
	// Schema is the JSON Schema (2020-12) of data; Example is valid against it.
	Schema, Example json.RawMessage
}

// EventTypes returns all types of events in the order in which partners see them. Every member of data is always
// present.
func EventTypes() []EventType { return slices.Clone(eventTypes()) }

// EventUserErased is the only event about an erased user.
const EventUserErased = "user.erased"

// FindEventType returns the event type with this name and whether it exists.
func FindEventType(name string) (EventType, bool) {
	types := eventTypes()
	i := slices.IndexFunc(types, func(t EventType) bool { return t.Type == name })
	if i < 0 {
		return EventType{}, false
	}
	return types[i], true
}

// eventTypesFile has the types with the members of their data, and a list of members that several types share. A
// type's own text overrides the shared one.
//
//go:embed eventtypes.json
var eventTypesFile []byte

// member is a member of data.
type member struct {
	Name string
	// Schema is the member's JSON Schema. If Values is set, only those are valid, and the first is the example.
	Schema  map[string]any
	Values  []string
	Example any
}

// eventTypes reads the file once: building all schemas takes longer than simulating an event.
var eventTypes = sync.OnceValue(func() (types []EventType) {
	var file struct {
		Shared map[string]member
		Types  []struct {
			Type, Description string
			Data              []json.RawMessage
		}
	}
	mustRead(eventTypesFile, &file)
	for _, t := range file.Types {
		properties, names, examples := map[string]any{}, []string{}, []string{}
		for _, text := range t.Data {
			var m member
			mustRead(text, &m)
			m = file.Shared[m.Name]
			m.Schema = maps.Clone(m.Schema)
			mustRead(text, &m)
			if len(m.Values) > 0 {
				m.Schema["enum"] = m.Values
			}
			if m.Example == nil {
				m.Example = m.Values[0]
			}
			properties[m.Name] = m.Schema
			names = append(names, m.Name)
			examples = append(examples, string(jsonOf(m.Name))+":"+string(jsonOf(m.Example)))
		}
		types = append(types, EventType{
			Type: t.Type, Description: t.Description, Example: json.RawMessage("{" + strings.Join(examples, ",") + "}"),
			Schema: jsonOf(map[string]any{
				"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
				"properties": properties, "required": names, "additionalProperties": false,
			}),
		})
	}
	return types
})

// mustRead reads a part of eventTypesFile. Tests read the file too, so it is valid.
func mustRead(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic("eventtypes.json: " + err.Error())
	}
}

func jsonOf(value any) json.RawMessage {
	text, _ := json.Marshal(value) // it came from JSON: cannot fail
	return text
}
