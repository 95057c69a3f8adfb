package request

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
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

func TestReference(t *testing.T) {
	labels := map[cancellation.Locale]string{"de-DE": "Label"}
	for _, c := range []struct {
		key, value string
		want       cancellation.Reference
	}{
		{"CONTRACT_NUMBER", "V-1", cancellation.Reference{Value: "V-1", IsNumber: true}},
		{"CUSTOMER_NUMBER", "1990-02-28", cancellation.Reference{Value: "1990-02-28", IsNumber: true}},
		{"POLICY_NUMBER", "P-1", cancellation.Reference{Value: "P-1", IsNumber: true}},
		{"BIRTH_DATE", "1990-02-28", cancellation.Reference{Value: "1990-02-28", Date: time.Date(1990, 2, 28, 0, 0, 0, 0, time.UTC)}},
		{"BIRTH_DATE", "1990-02-30", cancellation.Reference{Value: "1990-02-30"}},
		{"CHILD_NAME", "Mia", cancellation.Reference{Value: "Mia"}},
		{"METER_NUMBER", "12", cancellation.Reference{Value: "12"}},
	} {
		c.want.Label = "Label"
		assert.Equal(t, c.want, reference(catalogue.Field{Key: c.key, Labels: labels}, "de-DE", c.value), c.key)
	}
}
