package outbox

import (
	"github.com/aws/aws-lambda-go/events"

	"aviso/internal/dynamo"
	"aviso/internal/observe"
)

// Stream is a batch of records of the table's stream. It has only the members that the relay reads: decoding the full
// event of aws-lambda-go takes twice the instructions and four times the memory.
type Stream struct{ Records []Record }

// Record is one record of a Stream.
type Record struct {
	EventName string `json:"eventName"`
	Change    Change `json:"dynamodb"`
}

// Change is the change of a row. It has only text attributes.
type Change struct {
	SequenceNumber string
	NewImage       map[string]Text
}

// Text is an attribute of type S. It is empty for any other type.
type Text struct{ S string }

// row returns the new row, unless its writer sends the message itself.
func (r Record) row() (Row, bool) {
	image := r.Change.NewImage
	_, held := image["held"]
	return Row{
		Key: dynamo.Key{PK: image["pk"].S}, Queue: image["queue"].S, Body: image["body"].S,
		TraceID: image[observe.TraceAttribute].S,
	}, r.EventName == string(events.DynamoDBOperationTypeInsert) && !held
}
