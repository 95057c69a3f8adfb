// Package letterdb keeps in DynamoDB what has arrived at the sandbox's carriers.
package letterdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// Store is a mailroom.Store in one table. Rows that may be forgotten are filtered
// on reading, since DynamoDB takes its time to delete them.
type Store struct {
	db    *dynamodb.Client
	table string
	now   func() time.Time
}

var _ mailroom.Store = (*Store)(nil)

// New is a store in the table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{db, table, now}
}

// The keys. Letters are in one partition, in the order of their ids, which is
// that of time: few arrive in a sandbox.
func letterKey(id string) (pk, sk string) { return "LETTERS", id }

// documentKey keeps the bulk out of the partition that is listed.
func documentKey(letterID string) (pk, sk string) { return "LETTER#" + letterID, "DOCUMENT" }

func uploadKey(id string) (pk, sk string) { return "UPLOAD#" + id, "UPLOAD" }

func answerKey(id string) (pk, sk string) { return "ANSWER#" + id, "ANSWER" }

func settingKey(c mailroom.Carrier) (pk, sk string) { return "CARRIERS", string(c) }

// row is how a record is stored: the record and when to forget it.
type row[R any] struct {
	Record    R     `dynamodbav:"record"`
	Version   int   `dynamodbav:"version"`
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Letter reads a letter.
func (s *Store) Letter(ctx context.Context, id string) (mailroom.Letter, error) {
	pk, sk := letterKey(id)
	return get[mailroom.Letter](ctx, s, pk, sk)
}

// Document reads the document of a letter.
func (s *Store) Document(ctx context.Context, letterID string) (mailroom.Document, error) {
	pk, sk := documentKey(letterID)
	return get[mailroom.Document](ctx, s, pk, sk)
}

// Upload reads an upload.
func (s *Store) Upload(ctx context.Context, id string) (mailroom.Upload, error) {
	pk, sk := uploadKey(id)
	return get[mailroom.Upload](ctx, s, pk, sk)
}

// Answer reads what a request was answered.
func (s *Store) Answer(ctx context.Context, id string) (mailroom.Answer, error) {
	pk, sk := answerKey(id)
	return get[mailroom.Answer](ctx, s, pk, sk)
}

// Setting reads how a carrier behaves.
func (s *Store) Setting(ctx context.Context, c mailroom.Carrier) (mailroom.Setting, error) {
	pk, sk := settingKey(c)
	return get[mailroom.Setting](ctx, s, pk, sk)
}

func get[R any](ctx context.Context, s *Store, pk, sk string) (R, error) {
	var found row[R]
	err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &found)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return found.Record, outcome.ErrNotFound
	case err != nil:
		return found.Record, fmt.Errorf("get %T: %w", found.Record, err)
	case found.ExpiresAt <= s.now().Unix():
		return *new(R), outcome.ErrNotFound
	}
	return found.Record, nil
}

// Letters lists letters, newest first. Those that may be forgotten are the
// oldest, so that the list ends with the first of them.
func (s *Store) Letters(ctx context.Context, carrier mailroom.Carrier, before string, limit int) ([]mailroom.Letter, error) {
	pk, _ := letterKey("")
	condition, values := "pk = :pk", dynamo.Item{":pk": dynamo.S(pk)}
	if before != "" {
		condition += " AND sk < :before"
		values[":before"] = dynamo.S(before)
	}
	in := &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: &condition, ExpressionAttributeValues: values,
		ConsistentRead: aws.Bool(true), ScanIndexForward: aws.Bool(false),
	}
	var out []mailroom.Letter
	for {
		res, err := s.db.Query(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("query letters: %w", err)
		}
		for _, item := range res.Items {
			var found row[mailroom.Letter]
			if err := dynamo.Unmarshal(item, &found); err != nil {
				return nil, err
			}
			if found.ExpiresAt <= s.now().Unix() || len(out) == limit {
				return out, nil
			}
			if carrier == "" || found.Record.Carrier == carrier {
				out = append(out, found.Record)
			}
		}
		if len(res.LastEvaluatedKey) == 0 || len(out) == limit {
			return out, nil
		}
		in.ExclusiveStartKey = res.LastEvaluatedKey
	}
}

// Save writes all records in one transaction: a letter on the condition that it
// is still at the version that was read, an answer on the condition that there
// was none.
func (s *Store) Save(ctx context.Context, records ...mailroom.Record) error {
	actions := make([]types.TransactWriteItem, len(records))
	for i, r := range records {
		var err error
		if actions[i], err = s.put(r); err != nil {
			return err
		}
	}
	err := dynamo.LegacyTransact(ctx, s.db, actions)
	if errors.Is(err, outcome.ErrChanged) || contended(err) {
		return outcome.ErrChanged
	}
	return err
}

func (s *Store) put(record mailroom.Record) (types.TransactWriteItem, error) {
	pk, sk, err := key(record)
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	stored, version := any(record), 0
	if l, ok := record.(mailroom.Letter); ok {
		l.Version++
		stored, version = l, l.Version
	}
	item, err := dynamo.Marshal(pk, sk, row[any]{stored, version, dynamo.Expiry(record.KeepUntil())})
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	p := &types.Put{TableName: &s.table, Item: item}
	switch {
	case version > 1:
		p.ConditionExpression = aws.String("version = :was")
		p.ExpressionAttributeValues = dynamo.Item{":was": dynamo.N(int64(version - 1))}
	case version == 1 || isAnswer(record):
		// A row that reading calls forgotten may be replaced by a new one.
		p.ConditionExpression = aws.String("attribute_not_exists(pk) OR expiresAt <= :now")
		p.ExpressionAttributeValues = dynamo.Item{":now": dynamo.N(s.now().Unix())}
	}
	return types.TransactWriteItem{Put: p}, nil
}

func isAnswer(record mailroom.Record) bool {
	_, ok := record.(mailroom.Answer)
	return ok
}

func key(record mailroom.Record) (pk, sk string, err error) {
	switch r := record.(type) {
	case mailroom.Letter:
		pk, sk = letterKey(r.ID)
	case mailroom.Document:
		pk, sk = documentKey(r.LetterID)
	case mailroom.Upload:
		pk, sk = uploadKey(r.ID)
	case mailroom.Answer:
		pk, sk = answerKey(r.ID)
	case mailroom.Setting:
		pk, sk = settingKey(r.Carrier)
	default:
		err = fmt.Errorf("no record: %T", record)
	}
	return pk, sk, err
}

// contended tells whether another transaction held one of the rows just then.
func contended(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	for _, reason := range cancelled.CancellationReasons {
		if reason.Code != nil && *reason.Code == "TransactionConflict" {
			return true
		}
	}
	return false
}

// Delete deletes the records in one transaction.
func (s *Store) Delete(ctx context.Context, records ...mailroom.Record) error {
	actions := make([]types.TransactWriteItem, len(records))
	for i, r := range records {
		pk, sk, err := key(r)
		if err != nil {
			return err
		}
		actions[i] = types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(pk, sk)}}
	}
	err := dynamo.LegacyTransact(ctx, s.db, actions)
	if contended(err) {
		return outcome.ErrChanged
	}
	return err
}
