package cancellation

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatIdentifiesAContract(t *testing.T) {
	contract := func(parameters ...Parameter) string { return Request{Parameters: parameters}.contract() }
	plate := Parameter{"LICENSE_PLATE", "K-AB 123"}
	assert.Equal(t, contract(plate), contract(Parameter{FieldName, "Anna"}, Parameter{"LICENSE_PLATE", "kab123"}),
		"only letters and digits count, and no name")
	for _, other := range []string{
		contract(Parameter{"LICENSE_PLATE", "K-AB 124"}), contract(Parameter{FieldPolicyNumber, "K-AB 123"}),
		contract(plate, Parameter{FieldPhoneNumber, "0170 1"}), contract(Parameter{FieldEmail, "a@example.org"}),
	} {
		assert.NotEqual(t, contract(plate), other)
	}
	assert.Empty(t, contract(Parameter{FieldEmail, "a@example.org"}, Parameter{FieldCustomerNumber, " "}))
}
