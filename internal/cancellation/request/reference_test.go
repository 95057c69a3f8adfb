package request

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
)

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
