// Package identity is the area of partners and their users: who may call
// (partners, their secrets and scopes), for whom (users), and whether the user
// has accepted the terms that a flow needs.
package identity

import (
	"errors"

	"aviso/internal/fault"
)

// ErrNotFound is what stores answer when there is no such row.
var ErrNotFound = errors.New("identity: not found")

// ErrExists is what stores answer when a row that was to be new is there.
var ErrExists = errors.New("identity: exists already")

// ErrChanged is what stores answer when what was to be written over is no longer
// as it was read.
var ErrChanged = errors.New("identity: changed meanwhile")

// errUserNotFound is the same for a user that never was, that is gone, and that
// belongs to another partner: a partner cannot tell these apart.
func errUserNotFound() error {
	return fault.New(fault.UserNotFound, "The partner has no user of this id.")
}
