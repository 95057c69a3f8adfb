package cataloguefile_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
)

func TestAcceptedFormats(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		`^$`, `^a$`, `^[a-zA-Z0-9 ]{1,20}$`, `^(true|false)$`, `^(?:a|b)?c{0,9}d{1,9}e{2}g{2,5}$`, `^\d{8}$`, `^\w{1,9}\.\w{1,9}$`, `^\s?x$`, `^[\w.-]{1,9}$`, `^[.\-]$`, `^[-a]$`, `^[a-]$`,
		`^[$^]$`, `^[(){}?*+|.]$`, `^.{1,100}$`, `^[A-ZÄÖÜ]{1,3}[ -]?[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?$`, `^[0-9]{1,5}[0-9]{3}$`,
		`^(a|ab|abc){1,5}$`, `^a{1,20}a{1,20}$`, `^([a-z]{1,9},){0,9}[0-9]$`, `^((a|b)c){0,9}$`, `^a/b-c$`, `^é{1,3}$`, `^x{300}$`, `^[a-z]{1,20}( [a-z]{1,20}){0,9}$`,
	} {
		t.Run(format, func(t *testing.T) {
			assert.Empty(t, cataloguefile.FormatProblem(format))
		})
	}
}

func TestRejectedFormats(t *testing.T) {
	t.Parallel()
	const (
		anchors    = "must begin with ^ and end with $"
		inside     = "must use ^ and $ only at its ends; elsewhere write a class such as [$]"
		escapes    = `must use no escapes other than \. \d \w \s and, in a class, \-`
		groups     = "must use only the groups ( ) and (?: )"
		pairs      = "must close every parenthesis"
		within     = "must put alternatives in a group and open every parenthesis that it closes"
		quantifier = "must use one quantifier at a time, and only after what it repeats; write a class such as [+] for the character itself"
		upwards    = "must use quantifiers whose bounds ascend and do not exceed 1000"
		closing    = "must use ] and } only to end a class or quantifier; elsewhere write a class such as [}]"
		class      = "must use only classes that are not empty, have a hyphen only first, last, in a range or escaped, and contain no [ and no doubled punctuation"
		ways       = "must not have more than 1000 ways to match a text"
		steps      = "must not have more than 1000 steps once repetitions are expanded"
		long       = "must have 1 to 400 characters"
		unbounded  = "must not accept more than 300 characters: give repetitions a bound, such as {1,20}"
		scripts    = "must accept only letters and punctuation of the Latin, Greek and Cyrillic scripts, and have no class that begins with ^"
		unseen     = "must not contain control, zero-width or bidirectional characters"
	)
	for format, want := range map[string]string{
		``: long, `^` + strings.Repeat("a", 399) + `$`: long, `^` + strings.Repeat("a", 301) + `$`: unbounded, `^(a|[b-d]{2}){151}$`: unbounded, `^[a-z]+$`: unbounded, `^a{2,}$`: unbounded, `^李$`: scripts, `^[^a-z]{1,10}$`: scripts, `^[א-ת]{1,9}$`: scripts, "^a\n$": unseen, "^a\x00$": unseen, "^a\u200b$": unseen, "^\u202ea$": unseen,
		`a$`: anchors, `^a`: anchors, `a`: anchors, `^`: anchors, `$`: anchors, `^😀$`: "must not contain characters above U+FFFF",
		`^a$|^b$`: inside, `^a^$`: inside, `^$a$`: inside, `^(^a)$`: inside, `^a\$`: escapes,
		`^a|b$`: within, `^a)b$`: within,
		`(?i)^a$`: anchors, `^(?i)a$`: groups, `^(?i:a)$`: groups, `^(?P<n>a)$`: groups, `^(?<n>a)$`: groups, `^(?=a)a$`: groups, `^(?!a)b$`: groups, `^(?<=a)b$`: groups, `^(?>a)$`: groups, `^(?#x)a$`: groups,
		`^(a$`: pairs, `^(a|b$`: pairs, `^((a)$`: pairs,
		`^\Aa\z$`: escapes, `^\pL$`: escapes, `^\p{L}$`: escapes, `^\bx$`: escapes, `^\D$`: escapes, `^\1$`: escapes, `^(a)\1$`: escapes, `^\x41$`: escapes, `^\u0041$`: escapes, `^\n$`: escapes, `^\/$`: escapes, `^\-$`: escapes, `^\($`: escapes, `^\Qa\E$`: escapes, `^\\$`: escapes,
		`^*$`: quantifier, `^+a$`: quantifier, `^a**$`: quantifier, `^a+?$`: quantifier, `^a??$`: quantifier, `^a*+$`: quantifier, `^a++$`: quantifier, `^a{2}{3}$`: quantifier, `^a{2}?$`: quantifier, `^(|*)$`: quantifier,
		`^{$`: quantifier, `^a{,3}$`: quantifier, `^a{b}$`: quantifier, `^a{10000}$`: quantifier,
		`^a{3,2}$`: upwards, `^a{1001}$`: upwards, `^a{1,1001}$`: upwards,
		`^a}$`: closing, `^a]$`: closing,
		`^[]$`: class, `^[^]$`: class, `^[]a]$`: class, `^[a$`: class, `^[[:alpha:]]$`: class, `^[[a]$`: class, `^[a-z-9]$`: class, `^[\d-x]$`: class, `^[a-\d]$`: class, `^[z-a]$`: class, `^[a&&b]$`: class, `^[a||b]$`: class, `^[+--]$`: class, `^[\d--]$`: class,
		`^[\p{L}]$`: escapes, `^[\]]$`: escapes, `^[\n]$`: escapes, `^[\b]$`: escapes,
		`^(a+)+$`: unbounded, `^(?:a+)+$`: unbounded, `^(a*)*$`: unbounded, `^(a|a)*$`: unbounded, `^(a|[a-z])+$`: unbounded, `^(a?)*$`: unbounded, `^(|a)+$`: unbounded, `^()*$`: unbounded, `^(.*)*$`: unbounded, `^([a-z]+)*[0-9]$`: unbounded, `^(\w|ä)*$`: unbounded, `^(\d+)+$`: unbounded,
		`^a*a*$`: unbounded, `^[a-z]*[a-z0-9]$`: unbounded, `^(a|aa)+$`: unbounded, `^(ab|abab)*$`: unbounded, `^([^\w]|ä)*$`: scripts, `^(a{1,5})*$`: unbounded,
		`^(a?){30}a{30}$`: ways, `^(a{1,10}){1,10}$`: ways, `^` + strings.Repeat("a?", 30) + strings.Repeat("a", 30) + `$`: ways, `^a{1,20}a{1,20}a{1,20}a{1,20}$`: ways, `^(a|a){20}$`: ways,
		`^(a|b|ab){1,12}$`:             ways,
		`^((a{1,100}){1,100}){1,100}$`: steps, `^(a|b|c|d){300}$`: steps, `^a{501}b{501}$`: unbounded, `^([a-z]{1,30},){1,50}$`: steps,
		`^` + strings.Repeat("(", 11) + "a" + strings.Repeat(")", 11) + `$`: "must not nest groups more than 10 deep",
	} {
		t.Run(format, func(t *testing.T) {
			assert.Equal(t, want, cataloguefile.FormatProblem(format))
		})
	}
}

func TestStandardFormats(t *testing.T) {
	t.Parallel()
	for key, format := range catalogue.StandardFormats {
		switch problem := cataloguefile.FormatProblem(format); key {
		case "EMAIL":
			assert.Contains(t, problem, "must not accept more than 300 characters", "see mailFormat")
		default:
			assert.True(t, format == "" || problem == "", "%s %s", key, problem)
		}
	}
	for key, texts := range map[string]struct{ yes, no []string }{
		"ZIP":                 {yes: []string{"50667", "SW1A 2AA", "a"}, no: []string{"", "D-50667", "50667\n", strings.Repeat("1", 21)}},
		"DATA_DELETE_REQUEST": {yes: []string{"true", "false"}, no: []string{"", "True", "truefalse", "true "}},
		"PHONE_NUMBER":        {yes: []string{"+49 221 555001-23", "(0221) 55500123", "0221/555.00"}, no: []string{"", "123", "call me", "+49\r\n221"}},
		"BIRTH_DATE":          {yes: []string{"1990-01-31"}, no: []string{"1990-13-01", "1990-00-10", "31.01.1990", "1990-01-32"}},
		"EMAIL": {
			yes: []string{
				"a@b.de", "first.last@example.com", "first+tag@example.com", "o'neil@example.ie", "a_b=c!#$%&*/?^`{|}~-@example.com", "A@EXAMPLE.COM",
				"a@sub.sub-domain.example.co.uk", "a@xn--mnchen-3ya.example", "a@münchen.example", "jörg@example.de", "дима@пример.рф", "δοκιμή@παράδειγμα.ελ",
				"anna.maria.von.der.heide@example.org", "a@" + strings.Repeat("x", 63) + ".example", "a@b.c.d.e.f.g", "von.der@a.b.c.d.e.example",
				"x@firma.systems", "a@example.photography", "a@example.xn--vermgensberatung-pwb", "1@2.de", "a@a--b.de", strings.Repeat("x", 64) + "@example.com",
			},
			no: []string{
				"", "a", "用户@例子.广告", "user@उदाहरण.भारत", "أحمد@example.com", strings.Repeat("x", 65) + "@example.com", "@b.de", "a@", "a@b", "a@b.", "a@.de", "a..b@c.de", ".a@b.de", "a.@b.de", "a@-b.de", "a@b-.de", "a@b..de", "a@@b.de", "a@b@c.de",
				"a b@c.de", "a@b .de", "a@b.de ", " a@b.de", "a@b.de\n", "a@b.de\r\nBcc: c@d.de", "a\r\n@b.de", "a,b@c.de", "a@b.de,c@d.de", "a;b@c.de", "a@b.de;c@d.de",
				"<a@b.de>", "A <a@b.de>", "\"a b\"@c.de", "a\"@b.de", "a@[127.0.0.1]", "a(b)@c.de", `a\@b.de`, "a@b,de", "a@b_c.de",
				"a\u00a0b@c.de", "a\u200bb@c.de", "a\u202eb@c.de", "a@b\u3002de", "a\uff0cb@c.de", "a\u2028b@c.de", "a@b.de\x00", "a\tb@c.de", "a:b@c.de",
			},
		},
	} {
		format, err := regexp.Compile(catalogue.StandardFormats[key])
		require.NoError(t, err)
		for _, text := range texts.yes {
			assert.True(t, format.MatchString(text), "%s accepts %q", key, text)
		}
		for _, text := range texts.no {
			assert.False(t, format.MatchString(text), "%s rejects %q", key, text)
		}
	}
}

// Checking a format must not take exponential time itself.
func TestFormatsAreCheckedQuickly(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		`^((((((((((a{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000}){1,1000})$`,
		`^((a?b?c?d?e?f?g?h?i?j?){1,9}){1,9}$`, `^(` + strings.Repeat("a?", 140) + `)*$`, `^` + strings.Repeat("[a-z]?", 48) + `$`, `^` + strings.Repeat("(|", 10) + strings.Repeat(")", 10) + `$`,
	} {
		done := make(chan struct{})
		go func() {
			cataloguefile.FormatProblem(format)
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Errorf("%s is still being checked", format)
		}
	}
}

// Every accepted format is a valid regular expression.
func FuzzFormatProblem(f *testing.F) {
	for _, format := range []string{`^a$`, `^(a|b)+[^c-d\w.]{1,3}$`, `^[\d-]\.*?$`} {
		f.Add(format)
	}
	f.Fuzz(func(t *testing.T, format string) {
		if cataloguefile.FormatProblem(format) == "" {
			_, err := regexp.Compile(format)
			require.NoError(t, err)
		}
	})
}
