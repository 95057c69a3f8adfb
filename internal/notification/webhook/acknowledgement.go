package webhook

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"aviso/internal/notification"
)

// judge checks an acknowledgement: a JSON object with isAcknowledged set to true and
// a timestamp. Names must match exactly; other members are ignored. isAcknowledged
// is checked before timestamp.
func judge(body []byte) (notification.Outcome, string) {
	body = bytes.Trim(body, " \t\r\n")
	var members map[string]json.RawMessage
	switch {
	case len(body) == 0:
		return notification.OutcomeInvalidAcknowledgement, "the body is empty"
	case !json.Valid(body):
		return notification.OutcomeInvalidAcknowledgement, "the body is not JSON"
	case json.Unmarshal(body, &members) != nil || members == nil:
		return notification.OutcomeInvalidAcknowledgement, "the body is JSON but not an object"
	}
	switch acknowledged := members["isAcknowledged"]; {
	case acknowledged == nil:
		return notification.OutcomeInvalidAcknowledgement, "isAcknowledged is missing"
	case string(acknowledged) == "false":
		return notification.OutcomeNotAcknowledged, "isAcknowledged is false"
	case string(acknowledged) != "true":
		return notification.OutcomeInvalidAcknowledgement, "isAcknowledged is " + kind(acknowledged) + ", not true"
	}
	switch timestamp := members["timestamp"]; {
	case timestamp == nil:
		return notification.OutcomeInvalidAcknowledgement, "timestamp is missing"
	case kind(timestamp) != "a string":
		return notification.OutcomeInvalidAcknowledgement, "timestamp is " + kind(timestamp) + ", not a string"
	case !isTime(timestamp):
		return notification.OutcomeInvalidAcknowledgement, "timestamp is not an RFC 3339 date and time with an offset"
	}
	return notification.OutcomeAcknowledged, ""
}

// kind returns the name of a JSON value's type.
func kind(value json.RawMessage) string {
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// dateTime is the syntax of a date-time (RFC 3339, 5.6). The time package alone also
// accepts single-digit hours and commas.
var dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// isTime reports whether a JSON string is an RFC 3339 date-time. T and Z may be in
// lower case.
func isTime(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return false
	}
	text = strings.ToUpper(text)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && dateTime.MatchString(text)
}
