// Package identity is the area of partners and their users: who may call (partners,
// their secrets and scopes), on whose behalf (users), and whether the user has
// accepted the terms that a flow requires.
package identity

import (
	"errors"
	"fmt"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo/outcome"
)

// userError returns the error of a call for a user. It is the same for one that never existed, that was
// erased, and that belongs to another partner, so that a partner cannot tell these apart.
func userError(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.NoUser()
	}
	return err
}

// refusal says what is wrong with something that the operator has sent; nil if nothing is.
func refusal(what string, faults []apierror.Field) error {
	if len(faults) == 0 {
		return nil
	}
	return apierror.WithFields(apierror.ValidationFailed, fmt.Sprintf("The %s not valid.", what), faults...)
}
