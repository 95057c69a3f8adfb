package providerfile

import (
	"net/url"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones

	"golang.org/x/text/language"

	"aviso/internal/fold"
	"aviso/internal/pfm"
)

// wireProvider is a line of the file.
type wireProvider struct {
	ID                    string             `json:"id"`
	CountryCode           string             `json:"countryCode"`
	Name                  string             `json:"name"`
	LogoURL               string             `json:"logoUrl"`
	Status                pfm.ProviderStatus `json:"status"`
	SupportedAccountTypes []pfm.AccountType  `json:"supportedAccountTypes"`
	Timezone              string             `json:"timezone"`
	RefreshTimeoutMinutes int                `json:"refreshTimeoutMinutes"`
	MaxConsentDays        int                `json:"maxConsentDays"`
	Regulated             bool               `json:"regulated"`
	MaxFetchInterval      int                `json:"maxFetchInterval"`
	AutomaticFetch        *bool              `json:"automaticFetch"`
	Meta                  map[string]string  `json:"meta"`
	Endpoint              wireEndpoint       `json:"endpoint"`
}

// wireEndpoint is how the bank's interface is reached.
type wireEndpoint struct {
	BaseURL string `json:"baseUrl"`
}

// maxWords keeps a provider with all its index rows within a transaction.
const maxWords = 20

// check finds what the schema cannot.
func (w wireProvider) check(allowHTTP bool, fail func(path, text string)) {
	if region, err := language.ParseRegion(w.CountryCode); err != nil || !region.IsCountry() || region.Canonicalize().String() != w.CountryCode {
		fail("/countryCode", "must be a country of ISO 3166-1")
	}
	if len(strings.Fields(fold.Name(w.Name))) > maxWords {
		fail("/name", "must have at most 20 words")
	}
	if _, err := time.LoadLocation(w.Timezone); err != nil || w.Timezone == "Local" {
		fail("/timezone", "must be a time zone of IANA")
	}
	schemes := "https"
	if allowHTTP {
		schemes = "https or http"
	}
	logo, ok := address(w.LogoURL, allowHTTP)
	if !ok || logo.Fragment != "" {
		fail("/logoUrl", "must be an absolute address of "+schemes+", without user information and fragment")
	}
	base, ok := address(w.Endpoint.BaseURL, allowHTTP)
	if !ok || base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || strings.HasSuffix(w.Endpoint.BaseURL, "/") {
		fail("/endpoint/baseUrl", "must be an absolute address of "+schemes+", without user information, query, fragment and slash at the end")
	}
}

func address(text string, allowHTTP bool) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !allowHTTP) || u.Hostname() == "" || u.User != nil {
		return nil, false
	}
	return u, !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`<>"\`, r) })
}

func (w wireProvider) provider() pfm.Provider {
	return pfm.Provider{
		ID: w.ID, CountryCode: w.CountryCode, Name: w.Name, LogoURL: w.LogoURL, Status: w.Status,
		SupportedAccountTypes: w.SupportedAccountTypes, Timezone: w.Timezone, RefreshTimeoutMinutes: w.RefreshTimeoutMinutes,
		MaxConsentDays: w.MaxConsentDays, Regulated: w.Regulated, MaxFetchInterval: w.MaxFetchInterval,
		AutomaticFetch: w.AutomaticFetch, Meta: w.Meta, Endpoint: pfm.BankEndpoint{BaseURL: w.Endpoint.BaseURL},
	}
}
