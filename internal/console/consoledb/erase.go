package consoledb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Eraser erases the user's events, the only data about users that the console keeps. Attempts and requests name
// nobody.
type Eraser struct{ table dynamo.Table }

// NewEraser returns an Eraser for the named table.
func NewEraser(db *dynamodb.Client, table string) Eraser { return Eraser{dynamo.NewTable(db, table)} }

// Close does nothing: the feed deletes events that arrive after the user is gone.
func (Eraser) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count returns nothing: the areas count the same data.
func (Eraser) Count(context.Context, owner.User) (map[string]int, error) { return nil, nil }

// Erase deletes the events about the user.
func (e Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	err := e.table.DeletePartition(ctx, user.Key())
	return err == nil, err
}
