package dynamo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aviso/internal/owner"
)

// trustDisabled is how long what was read about disabled partners counts, and so how long a change may take.
const trustDisabled = time.Minute

// DisabledRow is the row of a partner that is disabled, or was once. All are in one partition, so that functions
// read them with one query, and need no right to read anything else about partners.
type DisabledRow struct {
	Key

	Disabled bool `dynamodbav:"disabled"`
}

// DisabledKey returns the key of that row.
func DisabledKey(partner owner.PartnerID) Key { return Key{PK: "DISABLED", SK: string(partner)} }

// DisabledIn returns what knows the disabled partners in the identity table. An instance reads them once a
// minute at most, however many partners it works for. If it cannot, it does not know: an older answer
// would let in whom the operator has shut out.
func DisabledIn(identity Table, now func() time.Time) owner.Disabled {
	var mu sync.Mutex // held while they are read, so that all callers wait for one read
	var known map[owner.PartnerID]bool
	var readAt time.Time
	return func(ctx context.Context, partner owner.PartnerID) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		if began := now(); known == nil || began.Sub(readAt) >= trustDisabled {
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
