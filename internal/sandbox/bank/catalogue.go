package bank

import (
	_ "embed"
	"sync"

	"github.com/google/uuid"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// Bank is a fictional bank with the provider data that the service shows for it.
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
	// MaxFetchInterval is how many days of history the bank returns.
	MaxFetchInterval int
	// AutomaticFetch is nil if the bank does not specify it.
	AutomaticFetch *bool
	Meta           map[string]string
	Traits         Traits
}

// Traits are quirks of real banks that a client has to handle.
type Traits struct {
	Currency, Language string
	// IDs defines how rows are identified.
	IDs idStyle
	// BookedOnly: the bank does not report pending rows.
	BookedOnly bool
	// RelativeLinks: hrefs lack scheme and host.
	RelativeLinks bool
	// Sparse: a card payment names its merchant only in the text.
	Sparse bool
	// MCC: card payments carry the merchant category code, which the standard defines for
	// card accounts only.
	MCC bool
	// CardAccounts: credit cards are not among the other accounts, but have a list of
	// their own.
	CardAccounts bool
	// SCA is how customers approve; empty for the redirect approach.
	SCA scaApproach
	// Proprietary are the bank's own transaction codes by those of ISO 20022 (empty: any other), which
	// its rows carry besides. A bank without any reports none.
	Proprietary map[string]string
}

// idStyle is fullIDs, noIDs, or in banks.json "referenceOnly": entryReference on booked rows,
// nothing on pending ones.
type idStyle string

const (
	// fullIDs: transactionId and entryReference; a pending row may change its
	// transactionId when it is booked.
	fullIDs idStyle = "full"
	// noIDs: no IDs at all; rows are identified by their content.
	noIDs idStyle = "none"
)

type scaApproach string

const (
	// scaOAuth2: the consent links the authorization server.
	scaOAuth2 scaApproach = "oauth2"
	// scaTokenFirst: every call needs a token. The consent is then approved by redirect.
	scaTokenFirst scaApproach = "tokenFirst"
	// scaDecoupled: the customer gives the PSU-ID, and approves in the bank's app.
	scaDecoupled scaApproach = "decoupled"
	// scaIdentified: the customer gives the PSU-ID, and approves by redirect.
	scaIdentified scaApproach = "identified"
)

func (a scaApproach) hasTokens() bool { return a == scaOAuth2 || a == scaTokenFirst }

func (a scaApproach) wantsPSUID() bool { return a == scaDecoupled || a == scaIdentified }

// ClientID is Aviso's ID at the sandbox's authorization servers. In the standard, it is the
// organizationIdentifier of the QWAC, which the sandbox does not ask for.
const ClientID = "PSDDE-AVISO-SANDBOX"

// WantsTokenFirst reports whether the bank's every call needs a token.
func (b Bank) WantsTokenFirst() bool { return b.Traits.SCA == scaTokenFirst }

// MetadataPath returns the path of the metadata of the bank's authorization server; empty
// if it has none.
func (b Bank) MetadataPath() string {
	if !b.Traits.SCA.hasTokens() {
		return ""
	}
	return b.Path() + "/.well-known/oauth-authorization-server"
}

// Path returns the path of the bank's interface, before /v1. The address is the
// environment's base URL followed by this path.
func (b Bank) Path() string { return "/sandbox/banks/" + b.Slug }

// LogoPath returns the path of the bank's logo, an SVG image.
func (b Bank) LogoPath() string { return b.Path() + "/logo.svg" }

func (b Bank) branch() persona.Branch {
	return persona.Branch{Bank: b.Slug, Country: b.CountryCode, Currency: b.Traits.Currency,
		Language: b.Traits.Language}
}

//go:embed banks.json
var bankData []byte

// Catalogue returns the sandbox banks. The first is the most capable one.
func Catalogue() []Bank { return banks() }

var banks = sync.OnceValue(func() []Bank {
	banks := layout.Parse[[]Bank](bankData)
	for i := range banks {
		banks[i].ID = uuid.NewSHA1(uuid.NameSpaceURL,
			[]byte("https://aviso.example/sandbox/banks/"+banks[i].Slug)).String()
		if banks[i].Meta == nil {
			banks[i].Meta = map[string]string{}
		}
	}
	return banks
})
