package catalogue

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"aviso/internal/cancellation"
)

// FieldType says what kind of input suits a field.
type FieldType string

// The types of fields.
const (
	TypeText    FieldType = "Text"
	TypeEmail   FieldType = "Email"
	TypePhone   FieldType = "Phone"
	TypeDate    FieldType = "Date"    // ISO 8601, such as 2026-01-31
	TypeBoolean FieldType = "Boolean" // true or false
)

// Type returns the type of the field, by its key.
func (f Field) Type() FieldType {
	switch {
	case f.Key == FieldEmail:
		return TypeEmail
	case f.Key == FieldPhoneNumber:
		return TypePhone
	case f.Key == FieldDeleteData:
		return TypeBoolean
	case strings.HasSuffix(f.Key, FieldDateSuffix):
		return TypeDate
	}
	return TypeText
}

//go:embed help.json
var helpFile []byte

// helps are sentences for users, by language and subject.
var helps = sync.OnceValue(func() (all map[string]map[string]string) { //nolint:gochecknoglobals // read once
	if err := json.Unmarshal(helpFile, &all); err != nil { // the tests read the file
		panic(err)
	}
	return all
})

// Help returns a sentence that helps the user to fill in the field, in the locale's language, or "".
func (f Field) Help(l cancellation.Locale) string {
	subject := ""
	switch f.Key {
	case FieldCustomerNumber, FieldContractNumber, FieldMembershipNumber, FieldPolicyNumber, FieldSubscriptionNumber:
		subject = "number"
	case "METER_NUMBER":
		subject = "meter"
	case FieldEmail:
		subject = "email"
	}
	return helps()[l.Language()][subject]
}

// Example returns a value that the field accepts, or "" if none is known.
func (f Field) Example() string {
	examples := map[string]string{
		FieldName: "Anna Sommer", FieldAddress: "Lindenallee 12", FieldZIP: "50667", FieldCity: "Köln",
		FieldEmail: "anna.sommer@example.org", FieldPhoneNumber: "+49 221 555 0123", FieldBirthDate: "1990-05-17",
		FieldDeleteData: "false", FieldCustomerNumber: "K-204817", FieldContractNumber: "V-4711-0815",
		FieldMembershipNumber: "M-30815", FieldPolicyNumber: "LV-5512-88", FieldSubscriptionNumber: "A-77120",
		"METER_NUMBER": "1EMH0012345678", "LICENSE_PLATE": "K AB 1234", "USER_NAME": "anna.sommer",
	}
	example := examples[f.Key]
	if example == "" && f.Type() == TypeDate {
		example = "2026-01-31"
	}
	if !f.Accepts(example) {
		return ""
	}
	return example
}
