package userpage_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/language"

	"aviso/internal/userpage"
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
		{"", strings.Repeat("de-", 100_000), "en"},
	} {
		assert.Equal(t, c.want, userpage.For(c.code, c.accept).Language, "%.20s, %.20s", c.code, c.accept)
	}
}

func TestEveryLanguageHasAllWords(t *testing.T) {
	t.Parallel()
	english := texts(reflect.ValueOf(userpage.In("en")))
	for _, l := range userpage.Languages() {
		assert.Equal(t, l, language.MustParse(l).String(), "canonical")
		words := userpage.In(l)
		assert.Equal(t, 1, strings.Count(words.BackTo, "{name}"), l)
		all := texts(reflect.ValueOf(words))
		for name, text := range all {
			assert.NotEmpty(t, text, "%s: %s", l, name)
			assert.Equal(t, strings.TrimSpace(text), text, "%s: %s", l, name)
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
