package outbox

import (
	"github.com/aws/aws-lambda-go/events"

	"aviso/internal/dynamo"
	"aviso/internal/observe"
)

// Stream is a batch of records of the table's stream, without what the relay does not read. The event of
// aws-lambda-go has all, and takes twice the instructions and four times the memory.
type Stream struct{ Records []Record }

// Record is one record of a Stream.
type Record struct {
	EventName string `json:"eventName"`
	Change    Change `json:"dynamodb"`
}

// Change is what happened to a row. Of its attributes only text is read.
type Change struct {
	SequenceNumber string
	NewImage       map[string]Text
}

// Text is an attribute that is text, and empty if it is anything else.
type Text struct{ S string }

// row returns the row that was written, unless its writer sends the message itself.
func (r Record) row() (Row, bool) {
	image := r.Change.NewImage
	_, held := image["held"]
	return Row{
		Key: dynamo.Key{PK: image["pk"].S}, Queue: image["queue"].S, Body: image["body"].S,
		TraceID: image[observe.TraceAttribute].S,
	}, r.EventName == string(events.DynamoDBOperationTypeInsert) && !held
}
