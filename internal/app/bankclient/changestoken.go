package bankclient

import (
	"net/http"
	"time"

	"aviso/internal/api/token"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
)

// ChangesToken returns the function that makes the since of events transactions.updated. Like any
// since, it is sealed as a page token and valid for 30 days.
func ChangesToken(sealer *keyring.Sealer, now func() time.Time) connection.ChangesToken {
	return func(user owner.User, since transaction.ChangePosition) string {
		return token.SealPage(sealer, now(), since.String(), token.BindPage(http.MethodGet+" "+transaction.ChangesPath, user))
	}
}
