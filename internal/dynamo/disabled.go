package dynamo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aviso/internal/owner"
)

// disabledMaxAge is how long the list of disabled partners is cached, so a change may take that long.
const disabledMaxAge = time.Minute

// DisabledRow is the row of a partner that is or was disabled. All are in one partition, so functions read them with
// one query, and need no permission to read other data of partners.
type DisabledRow struct {
	Key

	Disabled bool `dynamodbav:"disabled"`
}

// DisabledKey returns the key of a DisabledRow.
func DisabledKey(partner owner.PartnerID) Key { return Key{PK: "DISABLED", SK: string(partner)} }

// DisabledIn returns a check against the identity table. An instance reads the disabled partners at most once a
// minute, however many partners it serves. If a read fails, the check fails: an older list could admit a partner that
// the operator has just disabled.
func DisabledIn(identity Table, now func() time.Time) owner.Disabled {
	var mu sync.Mutex // held during a read, so that all callers wait for one read
	var known map[owner.PartnerID]bool
	var readAt time.Time
	return func(ctx context.Context, partner owner.PartnerID) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		if began := now(); known == nil || began.Sub(readAt) >= disabledMaxAge {
			found := map[owner.PartnerID]bool{}
			for row, err := range Each[DisabledRow](identity.Query(ctx, Query{Partition: DisabledKey("").PK})) {
				if err != nil {
					return false, fmt.Errorf("read disabled partners: %w", err)
				}
				found[owner.PartnerID(row.SK)] = row.Disabled
			}
			known, readAt = found, began
		}
		return known[partner], nil
	}
}
