package cataloguefile

import (
	"errors"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"aviso/internal/cancellation"
	"aviso/internal/jsonlines"
)

// Letters say what letters can hold, so that whatever is in the catalogue can be
// cancelled by one.
type Letters interface {
	// Check says why a text cannot be printed: a *cancellation.UnprintableError
	// for a character.
	Check(text string) error
	// Locales are those in which letters can be written.
	Locales() []cancellation.Locale
	// CheckCountry says why no letter in a locale, one of Locales, can be
	// addressed to a country.
	CheckCountry(l cancellation.Locale, code string) error
}

// formats are those that the schema names.
func formats(letters Letters) jsonlines.Formats {
	locales := letters.Locales()
	checked := map[string]string{} // template formats: lines repeat them
	return jsonlines.Formats{
		"one-line":    jsonlines.OneLine,
		"web-address": urlProblem,
		"ascii-email": emailProblem,
		"locale":      localeProblem,
		"printable":   func(s string) string { return printProblem(letters, s) },
		"letter-locale": func(s string) string {
			if problem := localeProblem(s); problem != "" {
				return problem
			}
			return unless(slices.Contains(locales, cancellation.Locale(s)), "no letter can be written in this locale")
		},
		"language": func(s string) string {
			return unless(isLanguage(s), "the language must be a code of ISO 639-1, in lower case")
		},
		"country": func(s string) string {
			return unless(jsonlines.IsCountry(s), "must be a country code of ISO 3166-1, such as DE")
		},
		"template-format": func(s string) string {
			problem, known := checked[s]
			if !known && s != "" {
				problem = formatProblem(s)
				checked[s] = problem
			}
			return problem
		},
	}
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}

// printProblem says why a text cannot stand in letters.
func printProblem(letters Letters, s string) string {
	if problem := jsonlines.OneLine(s); problem != "" {
		return problem
	}
	err := letters.Check(s)
	if err == nil {
		return ""
	}
	if unprintable, ok := errors.AsType[*cancellation.UnprintableError](err); ok {
		return "must not hold the character " + unprintable.Name + ", which no letter can print"
	}
	return "must be fit for a letter: " + err.Error()
}

// isLanguage knows the codes of ISO 639-1 that are in use.
func isLanguage(s string) bool {
	base, err := language.ParseBase(s)
	return err == nil && len(s) == 2 && base.String() == s
}

func localeProblem(s string) string {
	return unless(!isNoLocale(cancellation.Locale(s)), "must be a locale of ISO 639-1 and ISO 3166-1, such as de-DE")
}

func isNoLocale(l cancellation.Locale) bool {
	_, err := cancellation.ParseLocale(string(l))
	return err != nil || !isLanguage(l.Language()) || !jsonlines.IsCountry(l.Country())
}

// urlProblem says why a text is no address of a web site; it may be empty.
func urlProblem(s string) string {
	if problem := jsonlines.OneLine(s); problem != "" || s == "" {
		return problem
	}
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(s, " <>\"\\")
	return unless(ok, "must be an absolute address of http or https, without user information")
}

// emailProblem says why a text is no e-mail address. Addresses of organizations
// are in ASCII, since not every way of sending takes others.
func emailProblem(s string) string {
	const maxEmail = 254 // RFC 5321, 4.5.3.1.3, without the angle brackets
	unfit := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`,;:<>()[]"\`, r) }
	parsed, err := mail.ParseAddress(s)
	ok := err == nil && len(s) <= maxEmail && !strings.ContainsFunc(s, unfit) &&
		parsed.Name == "" && parsed.Address == s && isDomain(s[strings.LastIndexByte(s, '@')+1:])
	return unless(ok, "must be an e-mail address in ASCII, such as cancel@example.com")
}

// labelPattern is one label of a host name, but for its length.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$`)

// isDomain reports whether s is a host name of at least two labels of at most 63
// characters, the last of which has two and begins with a letter (RFC 1123, 2.1).
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if len(label) > 63 || !labelPattern.MatchString(label) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && len(last) > 1 && (last[0] < '0' || last[0] > '9')
}
