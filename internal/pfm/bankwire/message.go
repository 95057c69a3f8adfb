package bankwire

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// maxMessage limits a bank's message, in runes.
const maxMessage = 300

// privatePattern matches what may be about the user: account numbers and other long numbers, and e-mail addresses.
var privatePattern = regexp.MustCompile(`[A-Z]{2}[0-9]{2}( ?[A-Z0-9]{4}){2,}( ?[A-Z0-9]{1,4})?|[0-9]{6,}|[^\s<>"]+@[^\s<>",]+`)

// messageIn returns the text of a refusal for people: that of NextGenPSD2 in either form, of OAuth 2.0, or of an
// aggregator. It has no personal data, and is empty if the body is not JSON or has no such text.
func messageIn(body []byte) string {
	var outer List[Object]
	_ = json.Unmarshal(body, &outer)
	var all []Object
	for _, o := range outer {
		all = slices.Concat(all, Get[List[Object]](o, "tppMessages"), []Object{o}, Get[List[Object]](o, "additionalErrors"))
	}
	for _, o := range all {
		text := o.Text("text", "detail", "error_description", "message", "title", "summary")
		if text == "" || o.Text("category") == "WARNING" {
			continue
		}
		runes := []rune(privatePattern.ReplaceAllString(strings.Join(strings.Fields(text), " "), "…"))
		return string(runes[:min(len(runes), maxMessage)])
	}
	return ""
}
