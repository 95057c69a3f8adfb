package cataloguefile

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"sync"

	"aviso/internal/cancellation"
)

//go:embed labels/*.json
var labelFiles embed.FS

// standardLabels are the labels of the standard fields, by language, and by locale where
// they differ.
var standardLabels = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	files, err := labelFiles.ReadDir("labels")
	for _, f := range files {
		text, unread := labelFiles.ReadFile("labels/" + f.Name())
		err = errors.Join(err, unread, json.Unmarshal(text, &all))
	}
	if err != nil { // the tests read every file
		panic(err)
	}
	return all
})

// The characters of an e-mail address: letters and digits in ASCII and other scripts
// (RFC 6531), except those that look like a space, a quote, a separator or nothing at
// all. A local part may also contain the other characters of atext (RFC 5322).
const (
	mailLetters = "A-Za-z0-9\u00c0-\u05ea\u0620-\u06d3\u0750-\u167f\u1e00-\u1ffc\u3041-\ud7a3"
	mailLocal   = "[" + mailLetters + "!#$%&'*+/=?^_`{|}~-]+"
	mailLabel   = "[" + mailLetters + "]+(-+[" + mailLetters + "]+)*"
	mailFormat  = `^` + mailLocal + `(\.` + mailLocal + `)*@` + mailLabel + `(\.` + mailLabel + `)+$`
)

// standardFormats are the formats of the standard fields. Empty means any text. The
// e-mail format leaves out quoted local parts and bracketed addresses, which nobody
// uses.
var standardFormats = map[string]string{
	cancellation.FieldName:               "",
	cancellation.FieldAddress:            "",
	cancellation.FieldZIP:                `^[a-zA-Z0-9 ]{1,20}$`,
	cancellation.FieldCity:               "",
	cancellation.FieldEmail:              mailFormat,
	cancellation.FieldPhoneNumber:        `^[+(]?[0-9][0-9 ()/.-]{3,28}$`,
	cancellation.FieldDeleteData:         `^(true|false)$`,
	cancellation.FieldCustomerNumber:     "",
	cancellation.FieldContractNumber:     "",
	cancellation.FieldMembershipNumber:   "",
	cancellation.FieldPolicyNumber:       "",
	cancellation.FieldSubscriptionNumber: "",
	"BIRTH_DATE":                         `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	"METER_NUMBER":                       "",
	"LICENSE_PLATE":                      "",
	"USER_NAME":                          "",
}

// standardLabel returns the label of a standard field, or "" if there is none in the
// locale's language.
func standardLabel(key string, l cancellation.Locale) string {
	return cmp.Or(standardLabels()[string(l)][key], standardLabels()[l.Language()][key])
}
