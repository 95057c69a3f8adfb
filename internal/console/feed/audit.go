package feed

import (
	"time"

	"aviso/internal/observe"
)

// Result is the result of an action of the console.
type Result string

// The results. An entry that stays Begun was interrupted.
const (
	Begun   Result = "Begun"
	Done    Result = "Done"
	Refused Result = "Refused"
	Failed  Result = "Failed"
)

// Entry is one entry of the console's audit log.
type Entry struct {
	// ID sorts by time.
	ID string    `dynamodbav:"-"`
	At time.Time `dynamodbav:"at"`
	// Who is a person's name at the issuer, or the client ID. Role is empty if the sign-in failed.
	Who  string `dynamodbav:"who"`
	Role string `dynamodbav:"role"`
	// Action is the name of the action, such as "secret.create"; Detail is its object.
	Action string          `dynamodbav:"action"`
	Detail string          `dynamodbav:"detail,omitempty"`
	Result Result          `dynamodbav:"result"`
	Trace  observe.TraceID `dynamodbav:"traceId"`
}
