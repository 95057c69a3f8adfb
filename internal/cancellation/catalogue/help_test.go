package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/letter"
)

// A form needs to know which input a field is: a date picker, a box to tick.
func TestFieldsSayWhatTheyAre(t *testing.T) {
	for key, want := range map[string]catalogue.FieldType{
		"NAME": "Text", "EMAIL": "Email", "PHONE_NUMBER": "Phone", "BIRTH_DATE": "Date", "MOVE_DATE": "Date",
		"DATA_DELETE_REQUEST": "Boolean", "UPDATE": "Text",
	} {
		assert.Equal(t, want, catalogue.Field{Key: key}.Type(), key)
	}
}

func TestExamplesAreAccepted(t *testing.T) {
	assert.Equal(t, "K-204817", catalogue.Field{Key: "CUSTOMER_NUMBER"}.Example())
	assert.Empty(t, catalogue.Field{Key: "CUSTOMER_NUMBER", Format: `^[0-9]{9}$`}.Example(), "another format")
	assert.Empty(t, catalogue.Field{Key: "PET"}.Example())
	assert.Equal(t, "2026-01-31", catalogue.Field{Key: "MOVE_DATE"}.Example())
}

func TestHelpIsThereInEachLanguage(t *testing.T) {
	for _, l := range (letter.Writer{}).Locales() {
		for _, key := range []string{"CONTRACT_NUMBER", "METER_NUMBER", "EMAIL"} {
			assert.NotEmpty(t, catalogue.Field{Key: key}.Help(l), "%s %s", l, key)
		}
	}
	assert.Empty(t, catalogue.Field{Key: "NAME"}.Help(cancellation.Locale("de-DE")))
}
