package pfmapi_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"pgregory.net/rapid"

	"aviso/internal/pfm/pfmapi"
)

func TestFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, accept, want string }{
		{"", "", "en"},
		{"fr", "", "fr"},
		{"fr", "de", "fr"},
		{"", "fr", "fr"},
		{"", "fr-CH, fr;q=0.9, en;q=0.8", "fr"},
		{"", "ja, it;q=0.5, es;q=0.7", "es"},
		{"no", "", "nb"},
		{"nn", "", "nb"},
		{"ja", "de-AT", "de"},
		{"pt", "", "pt"},
		{"", "pt-BR", "pt"},
		{"", "*", "en"},
		{"", "de;q=0, nl;q=0.1", "nl"},
		{"xx", "yy", "en"},
		{"<b>", "<script>", "en"},
		{"", strings.Repeat("xx-", 100_000), "en"},
		{"", strings.Repeat("xx,", 3_000) + "de", "de"},
	} {
		assert.Equal(t, c.want, pfmapi.WordsFor(c.code, c.accept).Language, "%.20s, %.20s", c.code, c.accept)
	}
}

func TestForAgreesWithALibrary(t *testing.T) {
	t.Parallel()
	var ours []language.Tag
	for _, l := range pfmapi.Languages() {
		ours = append(ours, language.MustParse(l))
	}
	matcher := language.NewMatcher(ours)
	rapid.Check(t, func(t *rapid.T) {
		tag := rapid.SampledFrom([]string{"de", "de-AT", "de-Latn-CH", "fr-CA", "es-419", "pt-BR", "nb-NO", "no", "nn-NO",
			"en-GB", "cs-CZ", "sv", "DA", "fi-FI", "it-CH", "nl-BE", "pl", "ja", "zh-Hant-TW", "*"})
		weight := rapid.SampledFrom([]string{"", ";q=1", ";q=0.9", "; q=0.8", ";q=0.10", ";q=0.001", ";q=0"})
		var parts []string
		for range rapid.IntRange(0, 5).Draw(t, "tags") {
			parts = append(parts, tag.Draw(t, "tag")+weight.Draw(t, "weight"))
		}
		header := strings.Join(parts, rapid.SampledFrom([]string{",", ", "}).Draw(t, "separator"))
		wanted, _, err := language.ParseAcceptLanguage(header)
		require.NoError(t, err)
		want := "en"
		for _, w := range wanted { // one by one: the library would prefer an exact match further down
			if _, i, confidence := matcher.Match(w); confidence != language.No {
				want = pfmapi.Languages()[i]
				break
			}
		}
		assert.Equal(t, want, pfmapi.WordsFor("", header).Language, header)
	})
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

func TestEveryLanguageHasAllWords(t *testing.T) {
	t.Parallel()
	english := texts(reflect.ValueOf(pfmapi.WordsIn("en")))
	for _, l := range pfmapi.Languages() {
		assert.Equal(t, l, language.MustParse(l).String(), "canonical")
		words := pfmapi.WordsIn(l)
		all := texts(reflect.ValueOf(words))
		for name, text := range all {
			assert.NotEmpty(t, text, "%s: %s", l, name)
			assert.Equal(t, strings.TrimSpace(text), text, "%s: %s", l, name)
			assert.Equal(t, placeholder.FindAllString(english[name], -1), placeholder.FindAllString(text, -1), "%s: %s", l, name)
			sentence := strings.HasSuffix(text, ".")
			assert.Equal(t, strings.HasSuffix(english[name], "."), sentence, "%s: %s ends like the English one", l, name)
			if l != "en" && sentence {
				assert.NotEqual(t, english[name], text, "%s: %s is translated", l, name)
			}
		}
	}
}

// texts returns all strings in a value by their path.
func texts(v reflect.Value) map[string]string {
	all := map[string]string{}
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if field.Kind() == reflect.String {
			all[name] = field.String()
			continue
		}
		for inner, text := range texts(field) {
			all[name+"."+inner] = text
		}
	}
	return all
}
