// Package identity is the area of partners and their users: who may call
// (partners, their secrets and scopes), for whom (users), and whether the user
// has accepted the terms that a flow needs.
package identity

import (
	"aviso/internal/apierror"
)

// errUserNotFound is the same for a user that never was, that is gone, and that
// belongs to another partner: a partner cannot tell these apart.
func errUserNotFound() error {
	return apierror.New(apierror.UserNotFound, "The partner has no user of this id.")
}
