package layout

import (
	_ "embed" // the texts
	"fmt"
	"net/http"
	"strings"
	"sync"
)

//go:embed texts.json
var textData []byte

// translations are the texts for banks' customers: for each language those of the English ones. Arabic
// has only one, which says that it has no other.
//
//nolint:gochecknoglobals // read once
var translations = sync.OnceValue(func() map[string]map[string]string {
	return Parse[map[string]map[string]string](textData)
})

// For returns the site in the first language of the browser that we have, if it is for banks' customers.
// Browsers send them in their order.
func (s Site) For(r *http.Request) Site {
	s.language = ""
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag := strings.ToLower(strings.TrimSpace(wanted))
		tag = tag[:min(2, len(tag))]
		if s.Customers && (tag == "en" || translations()[tag] != nil) {
			s.language = tag
			break
		}
	}
	return s
}

// T returns a text in the language of the site, in English if it has none in that. Its arguments
// replace %s and %d. The text of a day is its layout.
func (s Site) T(text string, args ...any) string {
	if translated := translations()[s.language][text]; translated != "" {
		text = translated
	}
	if len(args) > 0 {
		return fmt.Sprintf(text, args...)
	}
	return text
}
