package notification

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/jsonschema"
)

// ValidateData validates a partner's event data against the schema of the event type. If the data does not match or
// the type is unknown, it returns an *apierror.Error with a pointer for each fault. No fault repeats a value.
func ValidateData(eventType string, data json.RawMessage) error {
	t, known := FindEventType(eventType)
	if !known {
		return apierror.Invalid(unknownType("/eventType"))
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return fmt.Errorf("read schema of %s: %w", t.Type, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	if !json.Valid(data) || d.Decode(&value) != nil {
		return apierror.Invalid(apierror.Field{Pointer: "/data", Code: "invalid", Detail: "not a JSON value"})
	}
	var fields []apierror.Field
	for _, fault := range schema.Check(value, jsonschema.Options{Formats: formats()}) {
		fields = append(fields, fieldOf(fault))
	}
	if len(fields) == 0 {
		return nil
	}
	slices.SortStableFunc(fields, func(a, b apierror.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
	return apierror.Invalid(fields...)
}

func unknownType(pointer string) apierror.Field {
	return apierror.Field{
		Pointer: pointer, Code: "unknown", Detail: "There is no such type. GET /webhooks/v1/event-types lists them.",
	}
}

func fieldOf(f jsonschema.Fault) apierror.Field {
	field := apierror.Field{Pointer: "/data", Code: "invalid"}
	for _, name := range f.Path {
		field.Pointer += "/" + jsonschema.Escape(name)
	}
	switch f.Keyword {
	case "required":
		field.Code, field.Detail = "required", "This member is required."
	case "not": // additionalProperties: false
		field.Code, field.Detail = "unknown_member", "unexpected property"
	case "type":
		field.Detail = "expected " + f.Schema.Type
	case "enum":
		values, _ := json.Marshal(f.Schema.Enum) // a list of strings: cannot fail
		field.Detail = "expected one of " + string(values)
	case "format":
		field.Detail = "expected the format " + f.Schema.Format
	default:
		field.Detail = "not a value of the schema of this event type"
	}
	return field
}

// formats returns the formats that the schemas of event types use.
func formats() jsonschema.Formats {
	format := func(name string, is func(string) bool) func(string) string {
		return func(text string) string {
			if is(text) {
				return ""
			}
			return "must be a " + name
		}
	}
	return jsonschema.Formats{
		"uuid": format("UUID", func(text string) bool {
			return len(text) == len(uuid.Nil.String()) && uuid.Validate(text) == nil
		}),
		"date": format("date", func(text string) bool {
			_, err := time.Parse(time.DateOnly, text)
			return err == nil
		}),
		"date-time": format("date-time", isDateTime),
	}
}

// isDateTime reports whether a text is a date-time of RFC 3339, which allows T and Z in lower case. Package time
// alone also accepts commas and one-digit hours.
func isDateTime(text string) bool {
	text = strings.ToUpper(text)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && len(text) >= len("2006-01-02T15:04:05Z") && text[len("2006-01-02T15")] == ':' &&
		!strings.Contains(text, ",")
}
