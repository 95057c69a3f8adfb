package layout

import (
	_ "embed" // the texts
	"fmt"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/text/language"
)

//go:embed texts.json
var textData []byte

// translations are the texts for banks' customers. Each English text has those in other languages, in
// the order of the tags under the empty text.
var translations = sync.OnceValue(func() map[string][]string { return Parse[map[string][]string](textData) })

// speaks knows our languages, English first, and that Arabic is not one of them.
var speaks = sync.OnceValues(func() ([]string, language.Matcher) {
	tags := slices.Concat([]string{"en"}, translations()[""], []string{"ar"})
	known := make([]language.Tag, len(tags))
	for i, tag := range tags {
		known[i] = language.Make(tag)
	}
	return tags, language.NewMatcher(known)
})

// For returns the site in the language of the browser, if it is for banks' customers.
func (s Site) For(r *http.Request) Site {
	s.language = ""
	if s.Customers {
		tags, matcher := speaks()
		wanted, _, _ := language.ParseAcceptLanguage(r.Header.Get("Accept-Language")) // what cannot be read is English
		_, i, _ := matcher.Match(wanted...)
		s.language = tags[i]
	}
	return s
}

// T returns a text in the language of the site, in English if it has none in that. Its arguments
// replace %s and %d. The text of a day is its layout.
func (s Site) T(text string, args ...any) string {
	i := slices.Index(translations()[""], s.language)
	if all := translations()[text]; i >= 0 && all != nil {
		text = all[i]
	}
	if len(args) > 0 {
		return fmt.Sprintf(text, args...)
	}
	return text
}
