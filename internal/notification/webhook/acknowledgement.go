package webhook

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"aviso/internal/notification"
)

// judge checks an acknowledgement: a JSON object with isAcknowledged set to true and a timestamp. Names must match
// exactly; other members are ignored. judge checks isAcknowledged first.
func judge(body []byte) (notification.Outcome, string) {
	body = bytes.Trim(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n") // some frameworks write a byte order mark
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
		return notification.OutcomeInvalidAcknowledgement, "timestamp is not a date and time of ISO 8601"
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

// dateTime is a date-time of ISO 8601 with or without separators, seconds and offset. Its groups
// are year, month, day, hour and minute. T and Z may be in lower case, and T may be a space (RFC 3339, 5.6).
var dateTime = regexp.MustCompile(
	`^(\d{4})-?(\d\d)-?(\d\d)[Tt ](\d\d):?(\d\d)(?::?(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$`)

// isTime reports whether a JSON string is a date-time. Any will do, because the time is not used.
func isTime(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return false
	}
	parts := dateTime.FindStringSubmatch(text)
	if parts == nil {
		return false
	}
	_, err := time.Parse("200601021504", strings.Join(parts[1:], ""))
	return err == nil
}
