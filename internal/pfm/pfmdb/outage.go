package pfmdb

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/dynamo"
)

// outageLife is how long the row of an outage stays if nobody asks the bank again.
const outageLife = 24 * time.Hour

type outageRow struct {
	ProbeAt int64 `dynamodbav:"probeAt"`
}

// Outage reads when a bank that is down may be asked again.
func (s *Store) Outage(ctx context.Context, providerID string) (time.Time, error) {
	r, err := orZero(dynamo.Get[outageRow](ctx, s.table, outageKey(providerID), dynamo.Eventual))
	return dynamo.FromMillis(r.ProbeAt), err
}

// SetOutage writes or deletes the row of an outage, if nobody else has changed it.
func (s *Store) SetOutage(ctx context.Context, providerID string, known, probeAt time.Time) error {
	key, unchanged := outageKey(providerID), dynamo.Expr("attribute_not_exists(pk)")
	if !known.IsZero() {
		unchanged = dynamo.Expr("probeAt = ?", dynamo.Millis(known))
	}
	var err error
	if probeAt.IsZero() {
		err = s.table.Delete(ctx, key, unchanged)
	} else {
		_, err = s.table.Update(ctx, key, dynamo.Expr("SET probeAt = ?, expiresAt = ?",
			dynamo.Millis(probeAt), dynamo.Expiry(probeAt.Add(outageLife))), unchanged)
	}
	if err != nil {
		return fmt.Errorf("set outage of %s: %w", providerID, dynamo.LostRace(err))
	}
	return nil
}
