// Package letterdb stores the letters of the sandbox's carriers in DynamoDB.
package letterdb

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// Store implements mailroom.Store.
type Store struct{ records *sandboxdb.Store }

var _ mailroom.Store = (*Store)(nil)

// New returns a store backed by the named table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{sandboxdb.New(db, table, now)}
}

// InMemory returns a store for tests.
func InMemory(m *sandboxdb.Memory) *Store { return &Store{m.Store()} }

// letterKey puts all letters into one partition, sorted by ID and so by time, because a
// sandbox receives few of them.
func letterKey(id string) sandboxdb.Key { return sandboxdb.Key{PK: "LETTERS", SK: id} }

// documentKey keeps the documents out of the partition that is listed.
func documentKey(letterID string) sandboxdb.Key {
	return sandboxdb.Key{PK: "LETTER#" + letterID, SK: "DOCUMENT"}
}

func uploadKey(id string) sandboxdb.Key { return sandboxdb.Key{PK: "UPLOAD#" + id, SK: "UPLOAD"} }

func answerKey(id string) sandboxdb.Key { return sandboxdb.Key{PK: "ANSWER#" + id, SK: "ANSWER"} }

func settingKey(c mailroom.Carrier, partner string) sandboxdb.Key {
	key := sandboxdb.Key{PK: "CARRIERS", SK: string(c)}
	if partner != "" {
		key.SK += "#" + partner
	}
	return key
}

// Letter reads a letter.
func (s *Store) Letter(ctx context.Context, id string) (mailroom.Letter, error) {
	return sandboxdb.Get[mailroom.Letter](ctx, s.records, letterKey(id))
}

// Document reads the document of a letter.
func (s *Store) Document(ctx context.Context, letterID string) (mailroom.Document, error) {
	return sandboxdb.Get[mailroom.Document](ctx, s.records, documentKey(letterID))
}

// Upload reads an upload.
func (s *Store) Upload(ctx context.Context, id string) (mailroom.Upload, error) {
	return sandboxdb.Get[mailroom.Upload](ctx, s.records, uploadKey(id))
}

// Answer reads the stored response to a request.
func (s *Store) Answer(ctx context.Context, id string) (mailroom.Answer, error) {
	return sandboxdb.Get[mailroom.Answer](ctx, s.records, answerKey(id))
}

// Setting reads the behaviour of a carrier with a partner.
func (s *Store) Setting(ctx context.Context, c mailroom.Carrier, partner string) (mailroom.Setting, error) {
	return sandboxdb.Get[mailroom.Setting](ctx, s.records, settingKey(c, partner))
}

// Letters returns letters, newest first, of one carrier or (empty) of all.
func (s *Store) Letters(ctx context.Context, carrier mailroom.Carrier, before string,
	limit int) ([]mailroom.Letter, error) {
	wanted := func(l mailroom.Letter) bool { return carrier == "" || l.Carrier == carrier }
	return s.letters(ctx, wanted, before, limit)
}

// PartnerLetters returns letters of one partner, newest first.
func (s *Store) PartnerLetters(ctx context.Context, partner, before string, limit int) ([]mailroom.Letter, error) {
	return s.letters(ctx, func(l mailroom.Letter) bool { return l.Partner == partner }, before, limit)
}

func (s *Store) letters(ctx context.Context, wanted func(mailroom.Letter) bool, before string,
	limit int) ([]mailroom.Letter, error) {
	return sandboxdb.List(ctx, s.records, letterKey("").PK, before, limit, wanted)
}

// Save writes all records in one transaction: a letter on condition that its version has
// not changed, an answer on condition that there is none yet.
func (s *Store) Save(ctx context.Context, records ...mailroom.Record) error {
	writes := make([]sandboxdb.Write, len(records))
	for i, r := range records {
		key, err := keyOf(r)
		if err != nil {
			return err
		}
		switch r := r.(type) {
		case mailroom.Letter:
			writes[i] = sandboxdb.PutNext(key, &r, &r.Version)
		case mailroom.Answer:
			writes[i] = sandboxdb.PutNew(key, r)
		default:
			writes[i] = sandboxdb.Put(key, r)
		}
	}
	return s.records.Save(ctx, writes)
}

// Delete deletes the records in one transaction.
func (s *Store) Delete(ctx context.Context, records ...mailroom.Record) error {
	keys := make([]sandboxdb.Key, len(records))
	for i, r := range records {
		var err error
		if keys[i], err = keyOf(r); err != nil {
			return err
		}
	}
	return s.records.Delete(ctx, keys)
}

func keyOf(record mailroom.Record) (sandboxdb.Key, error) {
	switch r := record.(type) {
	case mailroom.Letter:
		return letterKey(r.ID), nil
	case mailroom.Document:
		return documentKey(r.LetterID), nil
	case mailroom.Upload:
		return uploadKey(r.ID), nil
	case mailroom.Answer:
		return answerKey(r.ID), nil
	case mailroom.Setting:
		return settingKey(r.Carrier, r.Partner), nil
	default:
		return sandboxdb.Key{}, fmt.Errorf("not a record: %T", record)
	}
}
