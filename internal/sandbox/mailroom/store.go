package mailroom

import (
	"context"
	"time"
)

// Record is a Letter, a Document, an Upload, an Answer or a Setting.
type Record interface{ KeepUntil() time.Time }

// Document is the PDF of a letter.
type Document struct {
	LetterID string
	Content  []byte
	Forget   time.Time
}

// KeepUntil is when the document is forgotten.
func (d Document) KeepUntil() time.Time { return d.Forget }

// Upload is a PDF that no letter has been made of yet.
type Upload struct {
	ID      string
	Content []byte
	Forget  time.Time
}

// KeepUntil is when the upload is forgotten.
func (u Upload) KeepUntil() time.Time { return u.Forget }

// Answer is what a request under an idempotency key was answered.
type Answer struct {
	// ID is a digest of the key, Request one of the request.
	ID, Request string
	Status      int
	Body        []byte
	Forget      time.Time
}

// KeepUntil is when the answer is forgotten.
func (a Answer) KeepUntil() time.Time { return a.Forget }

// Store keeps what has arrived. Reads see every write before them, and answer
// outcome.ErrNotFound for what is not there.
type Store interface {
	Letter(ctx context.Context, id string) (Letter, error)
	Document(ctx context.Context, letterID string) (Document, error)
	Upload(ctx context.Context, id string) (Upload, error)
	Answer(ctx context.Context, id string) (Answer, error)
	Setting(ctx context.Context, carrier Carrier) (Setting, error)
	// Letters lists at most limit letters whose ids come before this one (empty:
	// all), newest first, of one carrier or (empty) of all.
	Letters(ctx context.Context, carrier Carrier, before string, limit int) ([]Letter, error)
	// Save writes all records or none, and answers outcome.ErrChanged when a letter was
	// written since it was read, or a new record is there already. Settings and
	// uploads are written over.
	Save(ctx context.Context, records ...Record) error
	// Delete deletes the records. What is not there is no error.
	Delete(ctx context.Context, records ...Record) error
}
