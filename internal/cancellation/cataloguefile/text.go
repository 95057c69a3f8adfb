package cataloguefile

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/letter"
	"aviso/internal/jsonschema"
	"aviso/internal/textfold"
)

// formats returns the formats that the schema names.
func formats() jsonschema.Formats {
	locales := letter.Writer{}.Locales()
	checked := map[string]string{} // results for template formats, which many lines repeat
	return jsonschema.Formats{
		"one-line":    jsonschema.OneLine,
		"web-address": urlProblem,
		"ascii-email": emailProblem,
		"locale":      localeProblem,
		"printable":   printProblem,
		"letter-locale": func(s string) string {
			if problem := localeProblem(s); problem != "" {
				return problem
			}
			return unless(slices.Contains(locales, cancellation.Locale(s)), "letters cannot be written in this locale")
		},
		"language": func(s string) string {
			return unless(isLanguage(s), "must be a lower-case language code of ISO 639-1, such as de")
		},
		"country": func(s string) string {
			return unless(textfold.IsCountry(s), "must be a country code of ISO 3166-1, such as DE")
		},
		"day": func(s string) string {
			_, err := deadline.ParseDate(s)
			return unless(err == nil, "must be a day of the form YYYY-MM-DD")
		},
		"contract-duration": func(s string) string {
			_, err := deadline.ParsePeriod(s)
			return unless(err == nil, "must be an ISO 8601 duration with one unit, such as P24M, P1M, P2W or P14D")
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

// printProblem says why letters cannot print a text, or returns "".
func printProblem(s string) string {
	if problem := jsonschema.OneLine(s); problem != "" {
		return problem
	}
	err := letter.Writer{}.Check(s)
	if err == nil {
		return ""
	}
	if unprintable, ok := errors.AsType[*cancellation.UnprintableError](err); ok {
		return "must not contain the character " + unprintable.Name + ", which letters cannot print"
	}
	return "cannot be printed in a letter: " + err.Error()
}

// isLanguage reports whether s is an ISO 639-1 code that is in use.
func isLanguage(s string) bool {
	base, err := language.ParseBase(s)
	return err == nil && len(s) == 2 && base.String() == s
}

func localeProblem(s string) string {
	return unless(!isInvalidLocale(cancellation.Locale(s)),
		"must be a locale made of an ISO 639-1 language and an ISO 3166-1 country, such as de-DE")
}

func isInvalidLocale(l cancellation.Locale) bool {
	_, err := cancellation.ParseLocale(string(l))
	return err != nil || !isLanguage(l.Language()) || !textfold.IsCountry(l.Country())
}

// urlProblem returns the problem of a web site's URL, or "". The text may be empty.
func urlProblem(s string) string {
	if problem := jsonschema.OneLine(s); problem != "" || s == "" {
		return problem
	}
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(s, " <>\"\\")
	return unless(ok, "must be an absolute http or https URL without user information")
}

// emailProblem returns the problem of an e-mail address, or "". Organizations' addresses must be ASCII, because not
// every mail service accepts others.
func emailProblem(s string) string {
	_, err := cancellation.ParseEmail(s)
	ok := err == nil && domainPattern.MatchString(s[strings.LastIndexByte(s, '@')+1:])
	return unless(ok, "must be an e-mail address in ASCII, such as cancel@example.com")
}

// domainPattern matches a host name of at least two labels of up to 63 characters each. The last
// label must have at least two characters and must not begin with a digit (RFC 1123, 2.1).
var domainPattern = regexp.MustCompile(
	`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`)
