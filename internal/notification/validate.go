package notification

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"aviso/internal/apierror"
)

// ValidateData holds data that a partner has sent as the member data of an
// event against the schema of the type. What does not match is a *apierror.Error
// with a pointer for each fault, none of which repeats a value. An unknown type
// is refused likewise.
func ValidateData(eventType string, data json.RawMessage) error {
	t, known := FindEventType(eventType)
	if !known {
		return invalidData([]apierror.Field{{Pointer: "/eventType", Code: "unknown", Detail: "GET /webhooks/v1/event-types lists the types."}})
	}
	schema, err := readSchema(t)
	if err != nil {
		return err
	}
	value, err := readValue(data)
	if err != nil {
		return invalidData([]apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "not a JSON value"}})
	}
	if found := schema.check(value); len(found) > 0 {
		return invalidData(found)
	}
	return nil
}

func invalidData(fields []apierror.Field) error {
	return apierror.Invalid(fields...)
}

// dataSchema is what the schemas of all event types have: an object whose members
// are all required, and no others. A library for all of JSON Schema would have
// every function of the service read the standard's own schemas at its start.
type dataSchema struct {
	Dialect    string                  `json:"$schema"`
	Type       string                  `json:"type"`
	Properties map[string]memberSchema `json:"properties"`
	Required   []string                `json:"required"`
	Additional bool                    `json:"additionalProperties"`
}

// memberSchema is a schema of one member: a text or a whole number.
type memberSchema struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Format      string   `json:"format"`
	Enum        []string `json:"enum"`
	Pattern     string   `json:"pattern"`
	MinLength   int      `json:"minLength"`
	MaxLength   *int     `json:"maxLength"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
}

// readSchema fails for a schema that says more than is checked here.
func readSchema(t EventType) (dataSchema, error) {
	var s dataSchema
	d := json.NewDecoder(bytes.NewReader(t.Schema))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return dataSchema{}, fmt.Errorf("read schema of %s: %w", t.Type, err)
	}
	if s.Type != "object" || s.Additional || len(s.Required) != len(s.Properties) {
		return dataSchema{}, fmt.Errorf("read schema of %s: not an object of required members", t.Type)
	}
	for name, m := range s.Properties {
		if m.Type != "string" && m.Type != "integer" || m.Format != "" && m.Format != "uuid" && m.Format != "date-time" {
			return dataSchema{}, fmt.Errorf("read schema of %s: %s has an unknown type or format", t.Type, name)
		}
	}
	return s, nil
}

// readValue reads one JSON value, with numbers as they are written.
func readValue(data json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

// check gives the faults of a value, by pointer.
func (s dataSchema) check(value any) []apierror.Field {
	object, ok := value.(map[string]any)
	if !ok {
		return []apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "expected object"}}
	}
	var list []apierror.Field
	add := func(name, code, detail string) {
		list = append(list, apierror.Field{Pointer: "/data/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name), Code: code, Detail: detail})
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			add(name, "required", "This member is required.")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		m, known := s.Properties[name]
		if !known {
			add(name, "unknown_member", "unexpected property")
		} else if detail := m.problem(object[name]); detail != "" {
			add(name, "invalid", detail)
		}
	}
	slices.SortStableFunc(list, func(a, b apierror.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
	return list
}

// problem says what is wrong with a member's value; empty when nothing is.
func (m memberSchema) problem(value any) string {
	const other = "not a value of the schema of this event type"
	switch v := value.(type) {
	case string:
		switch {
		case m.Type != "string":
		case m.Enum != nil && !slices.Contains(m.Enum, v):
			values, _ := json.Marshal(m.Enum) // they are the schema's
			return "expected one of " + string(values)
		case m.Format == "uuid" && (len(v) != len(uuid.Nil.String()) || uuid.Validate(v) != nil),
			m.Format == "date-time" && !isDateTime(v):
			return "expected the format " + m.Format
		case utf8.RuneCountInString(v) < m.MinLength, m.MaxLength != nil && utf8.RuneCountInString(v) > *m.MaxLength, !m.fits(v):
			return other
		default:
			return ""
		}
	case json.Number:
		n, err := v.Float64()
		switch {
		case m.Type != "integer" || err != nil || n != math.Trunc(n):
		case m.Minimum != nil && n < *m.Minimum, m.Maximum != nil && n > *m.Maximum:
			return other
		default:
			return ""
		}
	}
	return "expected " + m.Type
}

func (m memberSchema) fits(text string) bool {
	fits, err := regexp.MatchString(m.Pattern, text)
	return err == nil && fits
}

// isDateTime tells whether a text is a date-time of RFC 3339, whose T and Z may
// be in lower case. The time package alone also takes hours of one digit and
// commas.
func isDateTime(text string) bool {
	text = strings.ToUpper(text)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && len(text) >= len("2006-01-02T15:04:05Z") && text[len("2006-01-02T15")] == ':' && !strings.Contains(text, ",")
}
