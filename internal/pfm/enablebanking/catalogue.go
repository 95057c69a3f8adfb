package enablebanking

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/textfold"
)

const (
	// refreshTimeout is the time between two refreshes: banks allow four a day.
	refreshTimeout = 360
	// fetchInterval is the number of days of history to request. Many banks have fewer.
	fetchInterval = 730
	secondsPerDay = 24 * 60 * 60
)

// Provider converts a bank in the aggregator's list to a provider. secret is the name of our application's secret. It
// returns false if private users cannot connect the bank, or we cannot show it. The ID follows from name and country,
// which together identify a bank at the aggregator.
func Provider(listed bankwire.Object, baseURL, secret string) (pfm.Provider, bool) {
	name, country, logo := listed.Text("name"), listed.Text("country"), listed.Text("logo")
	days := bankwire.Get[int](listed, "maximum_consent_validity") / secondsPerDay
	zone, known := timezones[country]
	words := len(strings.Fields(textfold.Name(name))) // each word is a row of the index
	if !known || !isWeb(logo) || words == 0 || words > 20 || len(name) > 100 || days < 1 ||
		!slices.Contains(list(listed, "psu_types"), "personal") {
		return pfm.Provider{}, false
	}
	p := pfm.Provider{
		ID: uuid.NewSHA1(uuid.NameSpaceURL,
			[]byte("https://aviso.example/aggregator/enable-banking/"+country+"/"+name)).String(),
		CountryCode: country, Name: name, LogoURL: logo, Status: pfm.ProviderActive, Timezone: zone,
		SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving, pfm.AccountCreditCard},
		RefreshTimeoutMinutes: refreshTimeout, MaxConsentDays: min(days, pfm.MaxConsentDays),
		Regulated: true, MaxFetchInterval: fetchInterval, AutomaticFetch: new(true),
		Endpoint: pfm.BankEndpoint{BaseURL: baseURL, ASPSP: pfm.ASPSP{
			Name: name, Country: country, Secret: secret, PSUHeaders: list(listed, "required_psu_headers"),
		}},
	}
	if bic := listed.Text("bic"); bic != "" {
		p.Meta = map[string]string{"bic": bic}
	}
	return p, true
}

// Banks returns the aggregator's banks as providers, and how many others it lists.
func (c *Client) Banks(ctx context.Context, baseURL, secret string) (all []pfm.Provider, others int, err error) {
	bank := pfm.BankEndpoint{BaseURL: baseURL, ASPSP: pfm.ASPSP{Secret: secret}}
	var w struct {
		ASPSPs []bankwire.Object `json:"aspsps"`
	}
	r := bankwire.Request{Operation: listBanks, URL: at(bank, "aspsps") + "?psu_type=personal&service=AIS"}
	err = c.do(ctx, bank, r, &w, func() error {
		if len(w.ASPSPs) == 0 { // an empty list would retire all banks
			return bankwire.ErrMalformed
		}
		for _, listed := range w.ASPSPs {
			p, ok := Provider(listed, baseURL, secret)
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
func list(w bankwire.Object, name string) (all []string) {
	for _, t := range bankwire.Get[[]bankwire.Text](w, name) {
		if t != "" {
			all = append(all, string(t))
		}
	}
	return all
}

// timezones are the time zones of countries whose banks offer accounts under PSD2 or similar law. A country with
// several has its largest here.
var timezones = map[string]string{
	"AT": "Europe/Vienna", "BE": "Europe/Brussels", "BG": "Europe/Sofia", "CH": "Europe/Zurich", "CY": "Asia/Nicosia",
	"CZ": "Europe/Prague", "DE": "Europe/Berlin", "DK": "Europe/Copenhagen", "EE": "Europe/Tallinn",
	"ES": "Europe/Madrid", "FI": "Europe/Helsinki", "FR": "Europe/Paris", "GB": "Europe/London", "GR": "Europe/Athens",
	"HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin", "IS": "Atlantic/Reykjavik",
	"IT": "Europe/Rome", "LI": "Europe/Vaduz", "LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga",
	"MT": "Europe/Malta", "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw", "PT": "Europe/Lisbon",
	"RO": "Europe/Bucharest", "SE": "Europe/Stockholm", "SI": "Europe/Ljubljana", "SK": "Europe/Bratislava",
}
