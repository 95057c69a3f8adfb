package enablebanking

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/textfold"
)

// ASPSP is a bank as the aggregator lists it.
type ASPSP struct {
	Name    string
	Country string
	Logo    string
	BIC     string
	// PSUTypes are personal and business.
	PSUTypes []string
	// ConsentSeconds is the longest consent.
	ConsentSeconds int
	PSUHeaders     []string
}

const (
	// refreshTimeout is the time between two refreshes: banks allow four a day.
	refreshTimeout = 360
	// fetchInterval is how many days of history we ask for. Many banks tell fewer.
	fetchInterval = 730
	secondsPerDay = 24 * 60 * 60
)

// Provider returns the bank as a provider whose application's secret has this name. It
// returns false if a person cannot connect it, or if we cannot show it. The ID follows from
// name and country, which are all that identifies a bank at the aggregator.
func (a ASPSP) Provider(baseURL, secret string) (pfm.Provider, bool) {
	zone, known := timezones[a.Country]
	words := len(strings.Fields(textfold.Name(a.Name))) // each is a row of the index
	if !known || !isWeb(a.Logo) || words == 0 || words > 20 || len(a.Name) > 100 || a.ConsentSeconds < secondsPerDay ||
		!slices.Contains(a.PSUTypes, "personal") {
		return pfm.Provider{}, false
	}
	p := pfm.Provider{
		ID: uuid.NewSHA1(uuid.NameSpaceURL,
			[]byte("https://aviso.example/aggregator/enable-banking/"+a.Country+"/"+a.Name)).String(),
		CountryCode: a.Country, Name: a.Name, LogoURL: a.Logo, Status: pfm.ProviderActive, Timezone: zone,
		SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving, pfm.AccountCreditCard},
		RefreshTimeoutMinutes: refreshTimeout, MaxConsentDays: min(a.ConsentSeconds/secondsPerDay, pfm.MaxConsentDays),
		Regulated: true, MaxFetchInterval: fetchInterval, AutomaticFetch: new(true),
		Endpoint: pfm.BankEndpoint{BaseURL: baseURL, ASPSP: pfm.ASPSP{
			Name: a.Name, Country: a.Country, Secret: secret, PSUHeaders: a.PSUHeaders,
		}},
	}
	if a.BIC != "" {
		p.Meta = map[string]string{"bic": a.BIC}
	}
	return p, true
}

type wireListed struct {
	Name       text                     `json:"name"`
	Country    text                     `json:"country"`
	Logo       text                     `json:"logo"`
	BIC        text                     `json:"bic"`
	PSUTypes   bankwire.Lenient[[]text] `json:"psu_types"`
	Validity   bankwire.Lenient[int]    `json:"maximum_consent_validity"`
	PSUHeaders bankwire.Lenient[[]text] `json:"required_psu_headers"`
}

// Banks returns the aggregator's banks as providers, and how many others it lists.
func (c *Client) Banks(ctx context.Context, baseURL, secret string) (all []pfm.Provider, others int, err error) {
	at := pfm.BankEndpoint{BaseURL: baseURL, ASPSP: pfm.ASPSP{Secret: secret}}
	var w struct {
		ASPSPs []bankwire.Lenient[wireListed] `json:"aspsps"`
	}
	err = c.do(ctx, request{
		bank: at, op: listBanks, method: http.MethodGet, path: []string{"aspsps"},
		query: url.Values{"service": {"AIS"}, "psu_type": {"personal"}},
	}, &w, func() error {
		if len(w.ASPSPs) == 0 { // else all banks would be retired
			return bankwire.ErrMalformed
		}
		for _, one := range w.ASPSPs {
			l := one.Value
			p, ok := ASPSP{
				Name: string(l.Name), Country: string(l.Country), Logo: string(l.Logo), BIC: string(l.BIC),
				PSUTypes: list(l.PSUTypes.Value), ConsentSeconds: l.Validity.Value, PSUHeaders: list(l.PSUHeaders.Value),
			}.Provider(baseURL, secret)
			isTwice := slices.ContainsFunc(all, func(other pfm.Provider) bool { return other.ID == p.ID })
			if ok && !isTwice {
				all = append(all, p)
			} else {
				others++
			}
		}
		return nil
	})
	return all, others, err
}

// list returns nil for an empty list.
func list(texts []text) (all []string) {
	for _, t := range texts {
		if t != "" {
			all = append(all, string(t))
		}
	}
	return all
}

// timezones are those of the countries in which banks tell accounts under PSD2 or the
// like: a country's largest, if it has several.
var timezones = map[string]string{
	"AT": "Europe/Vienna", "BE": "Europe/Brussels", "BG": "Europe/Sofia", "CH": "Europe/Zurich", "CY": "Asia/Nicosia",
	"CZ": "Europe/Prague", "DE": "Europe/Berlin", "DK": "Europe/Copenhagen", "EE": "Europe/Tallinn",
	"ES": "Europe/Madrid", "FI": "Europe/Helsinki", "FR": "Europe/Paris", "GB": "Europe/London", "GR": "Europe/Athens",
	"HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin", "IS": "Atlantic/Reykjavik",
	"IT": "Europe/Rome", "LI": "Europe/Vaduz", "LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga",
	"MT": "Europe/Malta", "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw", "PT": "Europe/Lisbon",
	"RO": "Europe/Bucharest", "SE": "Europe/Stockholm", "SI": "Europe/Ljubljana", "SK": "Europe/Bratislava",
}
