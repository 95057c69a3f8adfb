// Package identity is the area of partners and their users: who may call (partners, their secrets and scopes), on
// whose behalf (users), and whether the user has accepted the required terms.
package identity

import (
	"errors"
	"fmt"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
)

// userError returns the error of a call for a user. It is the same for users who never existed, were erased or belong
// to another partner, so that a partner cannot tell these apart.
func userError(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.NoUser()
	}
	return err
}

// faults are the errors in an operator's input.
type faults []apierror.Field

// require adds a fault unless holds is true. detail says the rule.
func (f *faults) require(holds bool, pointer, detail string) {
	if !holds {
		*f = append(*f, apierror.Field{Pointer: pointer, Code: "invalid", Detail: detail})
	}
}

// refusal returns the refusal of an input with faults, or nil. what is its subject, such as "partner is".
func (f faults) refusal(what string) error {
	if len(f) == 0 {
		return nil
	}
	return apierror.WithFields(apierror.ValidationFailed, fmt.Sprintf("The %s not valid.", what), f...)
}
