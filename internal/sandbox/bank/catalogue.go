package bank

import (
	"github.com/google/uuid"

	"aviso/internal/sandbox/persona"
)

// Bank is a fictional bank with what the service says of it as a provider.
type Bank struct {
	// ID is the UUIDv5 of https://aviso.example/sandbox/banks/<slug>.
	ID                    string
	Slug                  string
	CountryCode           string
	Name                  string
	Status                string
	SupportedAccountTypes []string
	Timezone              string
	RefreshTimeoutMinutes int
	MaxConsentDays        int
	Regulated             bool
	// MaxFetchInterval is how many days of history the bank gives.
	MaxFetchInterval int
	// AutomaticFetch is nil where the bank does not tell.
	AutomaticFetch *bool
	Meta           map[string]string

	traits traits
}

// traits are habits of real banks that a client has to live with.
type traits struct {
	currency, language string
	// ids says how rows are identified.
	ids idStyle
	// bookedOnly: pending rows are not told.
	bookedOnly bool
	// relativeLinks: hrefs lack scheme and host.
	relativeLinks bool
	// sparse: a card payment names its merchant in the text only.
	sparse bool
	// mcc: card payments carry the merchant category code, which the standard
	// has for card accounts only.
	mcc bool
	// proprietary: rows also carry the bank's own transaction code.
	proprietary bool
}

type idStyle int

const (
	// fullIDs: transactionId and entryReference; a pending row may change its
	// transactionId when it is booked.
	fullIDs idStyle = iota
	// referenceOnly: entryReference on booked rows, nothing on pending ones.
	referenceOnly
	// noIDs: nothing at all; rows are known by their content.
	noIDs
)

// Path is the path of the bank's interface, before /v1. Its address is this
// after the environment's base URL.
func (b Bank) Path() string { return "/sandbox/banks/" + b.Slug }

// LogoPath is the path of the bank's logo, an SVG image.
func (b Bank) LogoPath() string { return b.Path() + "/logo.svg" }

func (b Bank) branch() persona.Branch {
	return persona.Branch{Bank: b.Slug, Country: b.CountryCode, Currency: b.traits.currency, Language: b.traits.language}
}

// Catalogue lists the sandbox banks. The first is the most capable one.
func Catalogue() []Bank {
	yes, no := true, false
	all := []string{"CurrentAccount", "SavingAccount", "CreditCard"}
	two := []string{"CurrentAccount", "SavingAccount"}
	one := []string{"CurrentAccount"}
	banks := []Bank{
		{Slug: "lindenmark", CountryCode: "DE", Name: "Lindenmark Sparbank", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Berlin",
			RefreshTimeoutMinutes: 5, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730, AutomaticFetch: &yes,
			traits: traits{currency: "EUR", language: "de", proprietary: true}},
		{Slug: "hansekontor", CountryCode: "DE", Name: "Hansekontor Jürgensen & Töchter", Status: "Active", SupportedAccountTypes: one, Timezone: "Europe/Berlin",
			RefreshTimeoutMinutes: 60, MaxConsentDays: 90, Regulated: false, MaxFetchInterval: 90,
			traits: traits{currency: "EUR", language: "de", ids: noIDs, bookedOnly: true, relativeLinks: true}},
		{Slug: "donaukreuz", CountryCode: "AT", Name: "Donaukreuz Bank Österreich", Status: "Active", SupportedAccountTypes: two, Timezone: "Europe/Vienna",
			RefreshTimeoutMinutes: 30, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 365, AutomaticFetch: &yes,
			traits: traits{currency: "EUR", language: "de", ids: referenceOnly}},
		{Slug: "credit-amethyste", CountryCode: "FR", Name: "Crédit Améthyste", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Paris",
			RefreshTimeoutMinutes: 15, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 365, Meta: map[string]string{"region": "Île-de-France"},
			traits: traits{currency: "EUR", language: "fr", relativeLinks: true}},
		{Slug: "banque-des-saules", CountryCode: "FR", Name: "Banque Coopérative des Saules", Status: "Active", SupportedAccountTypes: two, Timezone: "Europe/Paris",
			RefreshTimeoutMinutes: 240, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 90, AutomaticFetch: &no,
			traits: traits{currency: "EUR", language: "fr", ids: noIDs, sparse: true}},
		{Slug: "caja-olivar", CountryCode: "ES", Name: "Caja Olivar del Sur", Status: "Active", SupportedAccountTypes: two, Timezone: "Europe/Madrid",
			RefreshTimeoutMinutes: 30, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 365,
			traits: traits{currency: "EUR", language: "es", ids: referenceOnly, relativeLinks: true}},
		{Slug: "banca-valdoro", CountryCode: "IT", Name: "Banca Popolare Valdoro", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Rome",
			RefreshTimeoutMinutes: 60, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 180, AutomaticFetch: &yes,
			traits: traits{currency: "EUR", language: "it", mcc: true}},
		{Slug: "credito-cipressino", CountryCode: "IT", Name: "Credito Cipressino", Status: "Inactive", SupportedAccountTypes: one, Timezone: "Europe/Rome",
			RefreshTimeoutMinutes: 60, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 90,
			traits: traits{currency: "EUR", language: "it", ids: referenceOnly}},
		{Slug: "waterkant", CountryCode: "NL", Name: "Waterkant Bank", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Amsterdam",
			RefreshTimeoutMinutes: 1, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730, AutomaticFetch: &yes,
			traits: traits{currency: "EUR", language: "nl", mcc: true}},
		{Slug: "meerhof", CountryCode: "BE", Name: "Meerhof Spaar- en Kredietbank", Status: "Active", SupportedAccountTypes: two, Timezone: "Europe/Brussels",
			RefreshTimeoutMinutes: 30, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 365,
			traits: traits{currency: "EUR", language: "nl", sparse: true}},
		{Slug: "larkspur", CountryCode: "IE", Name: "Larkspur Savings & Trust", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Dublin",
			RefreshTimeoutMinutes: 15, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730, Meta: map[string]string{"brand": "Larkspur"},
			traits: traits{currency: "EUR", language: "en"}},
		{Slug: "quinta-do-mar", CountryCode: "PT", Name: "Banco Quinta do Mar", Status: "Active", SupportedAccountTypes: two, Timezone: "Europe/Lisbon",
			RefreshTimeoutMinutes: 120, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 180,
			traits: traits{currency: "EUR", language: "pt", bookedOnly: true}},
		{Slug: "fjallbanken", CountryCode: "SE", Name: "Fjällbanken Nord", Status: "Active", SupportedAccountTypes: all, Timezone: "Europe/Stockholm",
			RefreshTimeoutMinutes: 15, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 365, AutomaticFetch: &yes,
			traits: traits{currency: "SEK", language: "sv", ids: referenceOnly}},
		{Slug: "banque-grunewald", CountryCode: "LU", Name: "Banque du Grünewald", Status: "Disabled", SupportedAccountTypes: two, Timezone: "Europe/Luxembourg",
			RefreshTimeoutMinutes: 60, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 180,
			traits: traits{currency: "EUR", language: "fr"}},
	}
	for i := range banks {
		banks[i].ID = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/sandbox/banks/"+banks[i].Slug)).String()
		if banks[i].Meta == nil {
			banks[i].Meta = map[string]string{}
		}
	}
	return banks
}
