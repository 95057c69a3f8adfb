package cataloguefile

import "aviso/internal/cancellation"

// Characters of an e-mail address: letters and digits of ASCII and of other
// scripts (RFC 6531), without what looks like a space, a quote, a separator or
// nothing at all; and what else a local part may hold (RFC 5322, atext).
const (
	mailLetters = "A-Za-z0-9\u00c0-\u05ea\u0620-\u06d3\u0750-\u167f\u1e00-\u1ffc\u3041-\ud7a3"
	mailLocal   = "[" + mailLetters + "!#$%&'*+/=?^_`{|}~-]+"
	mailLabel   = "[" + mailLetters + "]+(-+[" + mailLetters + "]+)*"
)

// standardFormats are the formats of the standard fields; empty for any text.
// An e-mail address is one as it stands in a header, without quoted local parts
// and addresses in brackets, which nobody has.
var standardFormats = map[string]string{
	cancellation.FieldName:           "",
	cancellation.FieldAddress:        "",
	cancellation.FieldZIP:            `^[a-zA-Z0-9 ]{1,20}$`,
	cancellation.FieldCity:           "",
	cancellation.FieldEmail:          `^` + mailLocal + `(\.` + mailLocal + `)*@` + mailLabel + `(\.` + mailLabel + `)+$`,
	cancellation.FieldPhoneNumber:    `^[+(]?[0-9][0-9 ()/.-]{3,28}$`,
	cancellation.FieldDeleteData:     `^(true|false)$`,
	cancellation.FieldCustomerNumber: "",
	cancellation.FieldContractNumber: "",
	"MEMBERSHIP_NUMBER":              "",
	"POLICY_NUMBER":                  "",
	"SUBSCRIPTION_NUMBER":            "",
	"BIRTH_DATE":                     `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	"METER_NUMBER":                   "",
	"LICENSE_PLATE":                  "",
	"USER_NAME":                      "",
}

// standardLabel is a standard field's label; empty where its language has none.
func standardLabel(key string, l cancellation.Locale) string {
	if label := localLabels[l][key]; label != "" {
		return label
	}
	return standardLabels[l.Language()][key]
}
