package catalogue

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"aviso/internal/cancellation"
)

//go:embed labels/*.json
var labelFiles embed.FS

// StandardLabels are the labels of the standard fields, by language, or by locale if that differs.
var StandardLabels = sync.OnceValue(func() map[string]map[string]string { //nolint:gochecknoglobals // read once
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

// StandardFormats are the formats of standard fields that do not accept any text; see Field.Format. The e-mail
// format excludes quoted local parts and bracketed addresses, which nobody uses.
var StandardFormats = map[string]string{ //nolint:gochecknoglobals // constant
	FieldZIP:         `^[a-zA-Z0-9 ]{1,20}$`,
	FieldEmail:       mailFormat,
	FieldPhoneNumber: `^[+(]?[0-9][0-9 ()/.-]{3,28}$`,
	FieldDeleteData:  `^(true|false)$`,
	FieldBirthDate:   `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
}

// StandardLabel returns the label of a standard field in the locale's language, or "".
func StandardLabel(key string, l cancellation.Locale) string {
	return cmp.Or(StandardLabels()[string(l)][key], StandardLabels()[l.Language()][key])
}

// Field returns the field of the template with this key, or else the standard field. Without either, it has no label.
func (p Product) Field(key string, l cancellation.Locale) Field {
	if i := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Key == key }); i >= 0 {
		return p.Fields[i]
	}
	f := Field{Key: key, Format: StandardFormats[key]}
	if label := StandardLabel(key, l); label != "" {
		f.Labels = map[cancellation.Locale]string{l: label}
	}
	return f
}
