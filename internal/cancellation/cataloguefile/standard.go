package cataloguefile

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"sync"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
)

//go:embed labels/*.json
var labelFiles embed.FS

// standardLabels are the labels of the standard fields, by language, or by locale if that differs.
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

// The characters of an e-mail address: letters and digits in ASCII and in the scripts that letters can print (RFC
// 6531). A local part may also contain the other characters of atext (RFC 5322). A label has the
// form in the pattern of HTML's e-mail input, with up to 63 characters (RFC 1035). That has more than one way to match,
// but a dot ends each label. So a text that does not match costs backtracking engines 60 steps per label. A value must
// also have at most 300 characters, as any.
const (
	mailLetters = "A-Za-z0-9\u00c0-\u02af\u0388\u0389\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0481\u1e00-\u1eff"
	mailLocal   = "[" + mailLetters + "!#$%&'*+/=?^_`{|}~-]"
	mailLabel   = "[" + mailLetters + "]([" + mailLetters + "-]{0,61}[" + mailLetters + "])?"
	mailFormat  = `^` + mailLocal + `{1,64}(\.` + mailLocal + `{1,24}){0,7}@` + mailLabel + `(\.` + mailLabel + `){1,5}$`
)

// standardFormats are the formats of standard fields that do not accept any text; see catalogue.Field. The e-mail
// format excludes quoted local parts and bracketed addresses, which nobody uses.
var standardFormats = map[string]string{
	catalogue.FieldZIP:         `^[a-zA-Z0-9 ]{1,20}$`,
	catalogue.FieldEmail:       mailFormat,
	catalogue.FieldPhoneNumber: `^[+(]?[0-9][0-9 ()/.-]{3,28}$`,
	catalogue.FieldDeleteData:  `^(true|false)$`,
	catalogue.FieldBirthDate:   `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
}

// standardLabel returns the label of a standard field in the locale's language, or "".
func standardLabel(key string, l cancellation.Locale) string {
	return cmp.Or(standardLabels()[string(l)][key], standardLabels()[l.Language()][key])
}
