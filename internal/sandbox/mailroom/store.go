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

// KeepUntil returns when the document expires.
func (d Document) KeepUntil() time.Time { return d.Forget }

// Upload is a PDF without a letter yet.
type Upload struct {
	ID      string
	Content []byte
	Forget  time.Time
}

// KeepUntil returns when the upload expires.
func (u Upload) KeepUntil() time.Time { return u.Forget }

// Answer is the stored response to a request with an idempotency key.
type Answer struct {
	// ID is a digest of the key, Request a digest of the request.
	ID, Request string
	Status      int
	Body        []byte
	Forget      time.Time
}

// KeepUntil returns when the answer expires.
func (a Answer) KeepUntil() time.Time { return a.Forget }

// Store stores letters and what belongs to them. Reads see every earlier write and return
// outcome.ErrNotFound if there is no such record.
type Store interface {
	Letter(ctx context.Context, id string) (Letter, error)
	Document(ctx context.Context, letterID string) (Document, error)
	Upload(ctx context.Context, id string) (Upload, error)
	Answer(ctx context.Context, id string) (Answer, error)
	Setting(ctx context.Context, carrier Carrier, partner string) (Setting, error)
	// Letters returns at most limit letters whose IDs sort before this one (empty: all),
	// newest first, of one carrier or (empty) of all.
	Letters(ctx context.Context, carrier Carrier, before string, limit int) ([]Letter, error)
	// PartnerLetters does the same with the letters of one partner.
	PartnerLetters(ctx context.Context, partner, before string, limit int) ([]Letter, error)
	// Save writes all records or none. It returns outcome.ErrChanged if a letter was
	// written since it was read, or if a new record already exists. Settings and uploads
	// are overwritten.
	Save(ctx context.Context, records ...Record) error
	// Delete deletes the records. It is not an error if some do not exist.
	Delete(ctx context.Context, records ...Record) error
}
