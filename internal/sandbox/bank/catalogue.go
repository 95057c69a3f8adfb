package bank

import (
	_ "embed"
	"encoding/json"
	"sync"

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
	Traits         Traits
}

// Traits are habits of real banks that a client has to live with.
type Traits struct {
	Currency, Language string
	// IDs says how rows are identified.
	IDs idStyle
	// BookedOnly: pending rows are not told.
	BookedOnly bool
	// RelativeLinks: hrefs lack scheme and host.
	RelativeLinks bool
	// Sparse: a card payment names its merchant in the text only.
	Sparse bool
	// MCC: card payments carry the merchant category code, which the standard
	// has for card accounts only.
	MCC bool
	// Proprietary: rows also carry the bank's own transaction code.
	Proprietary bool
}

type idStyle string

const (
	// fullIDs: transactionId and entryReference; a pending row may change its
	// transactionId when it is booked.
	fullIDs idStyle = "full"
	// referenceOnly: entryReference on booked rows, nothing on pending ones.
	referenceOnly idStyle = "referenceOnly"
	// noIDs: nothing at all; rows are known by their content.
	noIDs idStyle = "none"
)

// Path is the path of the bank's interface, before /v1. Its address is this
// after the environment's base URL.
func (b Bank) Path() string { return "/sandbox/banks/" + b.Slug }

// LogoPath is the path of the bank's logo, an SVG image.
func (b Bank) LogoPath() string { return b.Path() + "/logo.svg" }

func (b Bank) branch() persona.Branch {
	return persona.Branch{Bank: b.Slug, Country: b.CountryCode, Currency: b.Traits.Currency, Language: b.Traits.Language}
}

//go:embed banks.json
var bankData []byte

// Catalogue lists the sandbox banks. The first is the most capable one.
func Catalogue() []Bank { return banks() }

var banks = sync.OnceValue(func() []Bank {
	var banks []Bank
	if err := json.Unmarshal(bankData, &banks); err != nil {
		panic("bank: " + err.Error()) // the data are part of the program
	}
	for i := range banks {
		banks[i].ID = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/sandbox/banks/"+banks[i].Slug)).String()
		if banks[i].Meta == nil {
			banks[i].Meta = map[string]string{}
		}
	}
	return banks
})
