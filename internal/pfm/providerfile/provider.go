package providerfile

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"aviso/internal/fold"
	"aviso/internal/pfm"
)

const (
	maxName = 100 // in characters
	// maxWords keeps a provider with all its index rows within a transaction.
	maxWords = 20
	maxURL   = 500
	// Of meta: how many texts, and how long.
	maxMeta, maxMetaText = 20, 500
	// Of names, in characters that take a byte each.
	maxID, maxMetaName, maxSecretName = 36, 40, 100
	// Of numbers, by their units.
	weekOfMinutes, tenYearsOfDays = 7 * 24 * 60, 3650
)

var (
	idPattern       = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	secretPattern   = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	metaNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// readProvider reads the object of a line.
func readProvider(at place, v any, allowHTTP bool) pfm.Provider {
	m := at.members(v)
	p := pfm.Provider{
		ID: m.text("id", matching(idPattern, maxID, "must be a UUID in lower case")), CountryCode: m.text("countryCode", countryProblem),
		Name: m.text("name", nameProblem), LogoURL: m.text("logoUrl", logoProblem(allowHTTP)), Status: m.status(),
		SupportedAccountTypes: m.accountTypes(), Timezone: m.text("timezone", timezoneProblem),
		RefreshTimeoutMinutes: m.number("refreshTimeoutMinutes", 0, weekOfMinutes), MaxConsentDays: m.number("maxConsentDays", 1, tenYearsOfDays),
		Regulated: m.truth("regulated"), MaxFetchInterval: m.number("maxFetchInterval", 1, tenYearsOfDays), Endpoint: m.endpoint(allowHTTP),
	}
	if m.has("automaticFetch") {
		automatic := m.truth("automaticFetch")
		p.AutomaticFetch = &automatic
	}
	if m.has("meta") {
		p.Meta = m.meta()
	}
	m.done()
	return p
}

func (m members) status() pfm.ProviderStatus {
	return pfm.ProviderStatus(m.text("status", func(s string) string {
		switch pfm.ProviderStatus(s) {
		case pfm.ProviderActive, pfm.ProviderInactive, pfm.ProviderDisabled:
			return ""
		}
		return fmt.Sprintf("must be %s, %s or %s", pfm.ProviderActive, pfm.ProviderInactive, pfm.ProviderDisabled)
	}))
}

// accountTypes requires at least one, none twice.
func (m members) accountTypes() []pfm.AccountType {
	items, at, ok := take[[]any](m, "supportedAccountTypes", "an array")
	if ok && len(items) == 0 {
		at.fail("must have at least one element")
	}
	var list []pfm.AccountType
	for i, item := range items {
		text, _ := item.(string)
		t := pfm.AccountType(text)
		switch {
		case !knownAccountType(t):
			at.below(strconv.Itoa(i)).fail("must be an account type, such as " + string(pfm.AccountCurrent))
		case slices.Contains(list, t):
			at.below(strconv.Itoa(i)).fail("the account type is there twice")
		}
		list = append(list, t)
	}
	return list
}

func knownAccountType(t pfm.AccountType) bool {
	switch t {
	case pfm.AccountCurrent, pfm.AccountSaving, pfm.AccountBonus, pfm.AccountCreditCard, pfm.AccountLoan, pfm.AccountMortgage,
		pfm.AccountOverdraft, pfm.AccountInvestment, pfm.AccountInsurance, pfm.AccountCash, pfm.AccountGeneral:
		return true
	default:
		return false
	}
}

func (m members) meta() map[string]string {
	v, at, ok := take[map[string]any](m, "meta", "an object")
	if !ok {
		return nil
	}
	if len(v) > maxMeta {
		at.fail(fmt.Sprintf("must have at most %d members", maxMeta))
	}
	texts := at.members(v)
	meta := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if len(name) > maxMetaName || !metaNamePattern.MatchString(name) {
			at.fail("each name must have 1 to 40 letters, digits, hyphens and underscores")
		}
		meta[name] = texts.text(name, func(s string) string {
			if utf8.RuneCountInString(s) > maxMetaText {
				return fmt.Sprintf("must have at most %d characters", maxMetaText)
			}
			return ""
		})
	}
	return meta
}

// endpoint is how the bank's interface is reached.
func (m members) endpoint(allowHTTP bool) pfm.BankEndpoint {
	v, at, ok := take[map[string]any](m, "endpoint", "an object")
	if !ok {
		return pfm.BankEndpoint{}
	}
	e := at.members(v)
	endpoint := pfm.BankEndpoint{BaseURL: e.text("baseUrl", baseURLProblem(allowHTTP))}
	secretName := matching(secretPattern, maxSecretName, "must have 1 to 100 letters, digits, dots, hyphens and underscores")
	if e.has("transportSecret") {
		endpoint.TransportSecret = e.text("transportSecret", secretName)
	}
	if e.has("sealSecret") {
		endpoint.SealSecret = e.text("sealSecret", secretName)
	}
	e.done()
	return endpoint
}

// matching wants a text of the pattern with at most so many bytes. A bound within
// an expression takes long to compile, at the start of every function.
func matching(pattern *regexp.Regexp, most int, rule string) func(string) string {
	return func(s string) string {
		if len(s) <= most && pattern.MatchString(s) {
			return ""
		}
		return rule
	}
}

func countryProblem(s string) string {
	region, err := language.ParseRegion(s)
	if err != nil || len(s) != 2 || !region.IsCountry() || region.Canonicalize().String() != s {
		return "must be a country of ISO 3166-1, such as DE"
	}
	return ""
}

func nameProblem(s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case n == 0 || n > maxName || strings.TrimSpace(s) != s || strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }):
		return fmt.Sprintf("must have 1 to %d characters that can be seen, and no space around them", maxName)
	case len(strings.Fields(fold.Name(s))) > maxWords:
		return fmt.Sprintf("must have at most %d words", maxWords)
	default:
		return ""
	}
}

func timezoneProblem(s string) string {
	if _, err := time.LoadLocation(s); err != nil || s == "" || s == "Local" {
		return "must be a time zone of IANA, such as Europe/Berlin"
	}
	return ""
}

func logoProblem(allowHTTP bool) func(string) string {
	return func(s string) string {
		if u, ok := address(s, allowHTTP); !ok || u.Fragment != "" {
			return "must be an absolute address of " + schemes(allowHTTP) + ", without user information and fragment"
		}
		return ""
	}
}

func baseURLProblem(allowHTTP bool) func(string) string {
	return func(s string) string {
		if u, ok := address(s, allowHTTP); !ok || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(s, "/") {
			return "must be an absolute address of " + schemes(allowHTTP) + ", without user information, query, fragment and slash at the end"
		}
		return ""
	}
}

func schemes(allowHTTP bool) string {
	if allowHTTP {
		return "https or http"
	}
	return "https"
}

func address(text string, allowHTTP bool) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !allowHTTP) || u.Hostname() == "" || u.User != nil || len(text) > maxURL {
		return nil, false
	}
	return u, !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`<>"\`, r) })
}
