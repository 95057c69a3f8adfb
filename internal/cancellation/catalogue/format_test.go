package catalogue_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation/catalogue"
)

func TestPattern(t *testing.T) {
	for format, want := range map[string]string{
		`^[a-zA-Z0-9 ]{1,20}$`:            `^[a-zA-Z0-9 ]{1,20}$`,
		`^(true|false)$`:                  `^(true|false)$`,
		`^[+(]?[0-9][0-9 ()/.-]{3,28}$`:   `^[+\(]?[0-9][0-9 \(\)\/.\-]{3,28}$`,
		`^[-a][a-]{2}[^-{}|a]\.$`:         `^[\-a][a\-]{2}[^\-\{\}\|a]\.$`,
		`^\d{2}[\d.][\w-]{3}\s?[a\-z]x*$`: `^[0-9]{2}[0-9.][0-9A-Z_a-z\-]{3}[ ]?[a\-z]x*$`,
	} {
		assert.Equal(t, want, catalogue.Field{Format: format}.Pattern())
	}
	assert.NotContains(t, catalogue.Field{Format: `^.{1,20}$`}.Pattern(), ".")
}

func TestAccepts(t *testing.T) {
	any300 := strings.Repeat("ä", 300)
	for _, tt := range []struct{ format, yes, no string }{
		{"", "Anna Sommer|  Anna |Ž. O'Neil-Đorđević (née Łuć)|Νίκη|Дима|A\u0308nna|" + any300, "||  |李雷|أحمد|😀|a\nb|" + any300 + "a"},
		{`^.{0,5}$`, "|ab|a", "李|abcdef|a\nb"},
		{`^\d{0,3}$`, "|12", "١٢|1234"},
		{`^[0-9]{4}$`, " 1234 |1234", "|12345|1234\n5"},
		{`^[`, "", "a|[|"}, {`^[a-`, "", "a"}, {`^\`, "", "a"},
	} {
		field := catalogue.Field{Format: tt.format}
		for yes := range strings.SplitSeq(tt.yes, "|") {
			if tt.yes != "" && (yes != "" || field.Format != "") {
				assert.True(t, field.Accepts(yes), "%s accepts %q", tt.format, yes)
			}
		}
		for no := range strings.SplitSeq(tt.no, "|") {
			assert.False(t, field.Accepts(no), "%s rejects %q", tt.format, no)
		}
	}
}
