// Package identity is the area of partners and their users: who may call (partners,
// their secrets and scopes), on whose behalf (users), and whether the user has
// accepted the terms that a flow requires.
package identity

import (
	"aviso/internal/api/apierror"
)

// errUserNotFound is the same error for a user that never existed, that was erased,
// and that belongs to another partner, so that a partner cannot tell these apart.
func errUserNotFound() error {
	return apierror.NoUser()
}
