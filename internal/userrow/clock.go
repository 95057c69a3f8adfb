package userrow

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/clock"
	"aviso/internal/config"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ClockKey returns the key of the row of a user's clock. There is one once the clock has been
// moved.
func ClockKey(user owner.User) dynamo.Key { return dynamo.Key{PK: user.Key(), SK: "CLOCK"} }

// Clocks finds the clocks of users in the identity table.
type Clocks struct{ table dynamo.Table }

// NewClocks returns the clocks in the table that CLOCK_TABLE names. Where it names none, as in
// production, nobody's clock can be moved, and nothing is read.
func NewClocks(db *dynamodb.Client, r *config.Reader) clock.Users {
	table := r.Optional("CLOCK_TABLE", "")
	if table == "" {
		return nil
	}
	return Clocks{dynamo.NewTable(db, table)}
}

// ClockSetting is what a row holds for everybody who needs the user's time.
type ClockSetting struct {
	// Ahead is in milliseconds.
	Ahead   int64     `dynamodbav:"ahead"`
	Stopped time.Time `dynamodbav:"stopped,omitempty"`
}

// Setting implements clock.Users.
func (c Clocks) Setting(ctx context.Context, user owner.User) (clock.Setting, error) {
	row, err := c.table.Row(ctx, ClockKey(user))
	if errors.Is(err, outcome.ErrNotFound) {
		return clock.Setting{}, nil
	}
	if err != nil {
		return clock.Setting{}, err
	}
	s, err := dynamo.Decode[ClockSetting](row)
	return clock.Setting{Ahead: time.Duration(s.Ahead) * time.Millisecond, Stopped: s.Stopped}, err
}
