package request

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation/catalogue"
)

func TestWhatIdentifiesAContract(t *testing.T) {
	contract := func(parameters ...Parameter) string { return Request{Parameters: parameters}.contract() }
	plate := Parameter{"LICENSE_PLATE", "K-AB 123"}
	assert.Equal(t, contract(plate), contract(Parameter{catalogue.FieldName, "Anna"}, Parameter{"LICENSE_PLATE", "kab123"}),
		"only letters and digits count, and no name")
	for _, other := range []string{
		contract(Parameter{"LICENSE_PLATE", "K-AB 124"}), contract(Parameter{catalogue.FieldPolicyNumber, "K-AB 123"}),
		contract(plate, Parameter{catalogue.FieldPhoneNumber, "0170 1"}), contract(Parameter{catalogue.FieldEmail, "a@example.org"}),
	} {
		assert.NotEqual(t, contract(plate), other)
	}
	assert.Empty(t, contract(Parameter{catalogue.FieldEmail, "a@example.org"}, Parameter{catalogue.FieldCustomerNumber, " "}))
}
