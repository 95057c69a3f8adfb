package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ClockKey returns the key of the row of a user's clock. The row exists once the clock has been moved. All are in one
// partition, so that housekeeping finds them.
func ClockKey(user owner.User) Key { return Key{PK: "CLOCKS", SK: user.Key()} }

// ClockRow is the part of the row that has the user's time.
type ClockRow struct {
	// Ahead is in milliseconds.
	Ahead int64 `dynamodbav:"ahead"`
	// Stopped is zero while the clock runs.
	Stopped time.Time `dynamodbav:"stopped,omitempty"`
}

// Setting returns the setting in the row.
func (r ClockRow) Setting() clock.Setting {
	return clock.Setting{Ahead: time.Duration(r.Ahead) * time.Millisecond, Stopped: r.Stopped}
}

// Clocks finds the clocks of users in the identity table.
type Clocks struct{ table Table }

// NewClocks returns the clocks in the table that CLOCK_TABLE names. In production the variable is empty: clocks
// cannot be moved, and nothing is read.
func NewClocks(db *dynamodb.Client, r *config.Reader) clock.Users {
	table := r.Optional("CLOCK_TABLE", "")
	if table == "" {
		return nil
	}
	return Clocks{NewTable(db, table)}
}

// Setting implements clock.Users.
func (c Clocks) Setting(ctx context.Context, user owner.User) (clock.Setting, error) {
	r, err := Get[ClockRow](ctx, c.table, ClockKey(user))
	if errors.Is(err, outcome.ErrNotFound) {
		err = nil
	}
	return r.Setting(), err
}
