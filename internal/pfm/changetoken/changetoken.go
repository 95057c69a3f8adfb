// Package changetoken makes changes tokens, with which partners request the changes
// of a user's transactions. Events contain them, so it is separate from the operation
// that accepts them: functions that send events do not link that operation.
package changetoken

import (
	"fmt"
	"net/http"
	"time"

	"aviso/internal/api/token"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
)

// Path is the path of the GET operation that accepts the tokens.
const Path = "/openbanking/v1/transactions/changes"

// Maker makes the tokens.
type Maker struct {
	// Sealer is the same as for page tokens.
	Sealer *keyring.Sealer
	Now    func() time.Time
}

// ChangesToken implements connection.ChangesToken. It returns a token for the changes after
// a position, which is valid for 30 days.
func (m Maker) ChangesToken(user owner.User, since transaction.ChangePosition) string {
	return token.SealPage(m.Sealer, m.Now(), Format(since), token.BindPage(http.MethodGet+" "+Path, user))
}

// Format returns the text of a position, which Parse reads.
func Format(p transaction.ChangePosition) string { return fmt.Sprintf("%d %d", p.Read, p.CaughtUp) }

// Parse reads the text that Format returns. An empty text is the start.
func Parse(s string) (p transaction.ChangePosition, err error) {
	if s == "" {
		return p, nil
	}
	if _, err = fmt.Sscanf(s, "%d %d", &p.Read, &p.CaughtUp); err != nil {
		return p, fmt.Errorf("change position: %w", err)
	}
	return p, nil
}
