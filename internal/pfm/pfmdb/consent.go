package pfmdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
)

// consentsKey is the row that says that the user has answered on our page for the connection. It stays when the
// connection is deleted, and goes with the user.
func consentsKey(user owner.User, connectionID string) dynamo.Key {
	return rowOf(user, "K#"+connectionID)
}

// consentKey has no user, so that the record outlives an erasure.
func consentKey(partner owner.PartnerID, connectionID, id string) dynamo.Key {
	return dynamo.Key{PK: "P#" + string(partner) + "#CONSENTS#" + connectionID, SK: id}
}

type consentRow struct {
	connection.ConsentRecord
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// addConsents puts new consent records, and changes those that exist.
func (s *Store) addConsents(x *dynamo.Transaction, c connection.Connection) {
	for _, r := range c.Consents {
		key := consentKey(c.Owner.Partner, c.ID, r.ID)
		if r.Text != "" {
			x.Put(s.table, key, consentRow{r, r.KeptUntil.Unix()}, dynamo.IfNew)
			x.Put(s.table, consentsKey(c.Owner, c.ID), struct{}{})
			continue
		}
		changed, err := dynamo.Encode(r)
		x.Fail(err)
		var set []string
		var values []any
		for _, name := range []string{"status", "authorisedAt", "validUntil", "endedAt", "accountIds"} {
			if value, ok := changed[name]; ok {
				set, values = append(set, "#"+name+" = ?"), append(values, value)
			}
		}
		x.Update(s.table, key, dynamo.Expr("SET "+strings.Join(set, ", "), values...))
	}
}

// ConsentRecords reads the records of a connection of the user's, which may be deleted.
func (s *Store) ConsentRecords(
	ctx context.Context, user owner.User, connectionID string,
) ([]connection.ConsentRecord, error) {
	if _, err := s.table.Row(ctx, consentsKey(user, connectionID)); err != nil {
		return nil, err
	}
	rows := s.table.Query(ctx, dynamo.Query{Partition: consentKey(user.Partner, connectionID, "").PK})
	return dynamo.Collect(rows, dynamo.Decode[connection.ConsentRecord])
}
