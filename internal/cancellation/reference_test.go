package cancellation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestReference(t *testing.T) {
	labels := map[Locale]string{"de-DE": "Label"}
	for _, c := range []struct {
		key, value string
		want       Reference
	}{
		{"CONTRACT_NUMBER", "V-1", Reference{Value: "V-1", IsNumber: true}},
		{"CUSTOMER_NUMBER", "1990-02-28", Reference{Value: "1990-02-28", IsNumber: true}},
		{"POLICY_NUMBER", "P-1", Reference{Value: "P-1", IsNumber: true}},
		{"BIRTH_DATE", "1990-02-28", Reference{Value: "1990-02-28", Date: time.Date(1990, 2, 28, 0, 0, 0, 0, time.UTC)}},
		{"BIRTH_DATE", "1990-02-30", Reference{Value: "1990-02-30"}},
		{"CHILD_NAME", "Mia", Reference{Value: "Mia"}},
		{"METER_NUMBER", "12", Reference{Value: "12"}},
	} {
		c.want.Label = "Label"
		assert.Equal(t, c.want, reference(Field{Key: c.key, Labels: labels}, "de-DE", c.value), c.key)
	}
}
