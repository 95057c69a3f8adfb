package aggregator

import (
	"net/http"
	"strings"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// ASPSP is a bank that the aggregator reads.
type ASPSP struct {
	Name, Country string
	// Branch is how the bank's accounts are simulated.
	Branch persona.Branch
	// ConsentDays is the longest consent.
	ConsentDays int
	// PSUHeaders are what the bank wants to know about a present user.
	PSUHeaders []string
}

// ASPSPs returns the banks. Two have the same name in different countries.
func ASPSPs() []ASPSP {
	bank := func(country, slug string, days int, headers ...string) ASPSP {
		return ASPSP{
			Name: "Silbertal Bank", Country: country, ConsentDays: days, PSUHeaders: headers,
			Branch: persona.Branch{Bank: slug, Country: country, Currency: "EUR", Language: "de"},
		}
	}
	return []ASPSP{bank("DE", "silbertal-de", 180), bank("AT", "silbertal-at", 90, "Psu-Ip-Address")}
}

func find(name, country string) (ASPSP, bool) {
	for _, a := range ASPSPs() {
		if a.Name == name && a.Country == country {
			return a, true
		}
	}
	return ASPSP{}, false
}

// LogoPath is the path of the banks' logo, an SVG image.
const LogoPath = Path + "/logo.svg"

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">` +
	`<rect width="64" height="64" rx="14" fill="#3d5a6c"/>` +
	`<path d="M10 46 24 22l9 15 7-11 14 20z" fill="#dfe7ec"/></svg>`

func serveLogo(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write([]byte(logo))
}

type wireASPSP struct {
	Name        string           `json:"name"`
	Country     string           `json:"country"`
	Logo        string           `json:"logo"`
	PSUTypes    []string         `json:"psu_types"`
	AuthMethods []map[string]any `json:"auth_methods"`
	Validity    int              `json:"maximum_consent_validity"`
	Beta        bool             `json:"beta"`
	BIC         *string          `json:"bic"`
	PSUHeaders  []string         `json:"required_psu_headers"`
}

func (s *server) listASPSPs(r *http.Request, _ Application) (any, error) {
	list := []wireASPSP{}
	country := r.URL.Query().Get("country")
	for _, a := range ASPSPs() {
		if country != "" && !strings.EqualFold(country, a.Country) {
			continue
		}
		list = append(list, wireASPSP{
			Name: a.Name, Country: a.Country, Logo: layout.Origin(s.BaseURL, r) + LogoPath, PSUTypes: []string{"personal"},
			AuthMethods: []map[string]any{
				{"name": nil, "psu_type": "personal", "approach": "REDIRECT", "credentials": nil, "hidden_method": false},
			},
			Validity: a.ConsentDays * int(24*time.Hour/time.Second), Beta: a.Country == "AT", PSUHeaders: a.PSUHeaders,
		})
	}
	return map[string]any{"aspsps": list}, nil
}

// hasUser reports whether the call says that the user is present.
func (a ASPSP) hasUser(h http.Header) (bool, error) {
	present := false
	for name := range h {
		present = present || strings.HasPrefix(name, "Psu-")
	}
	for _, wanted := range a.PSUHeaders {
		if present && h.Get(wanted) == "" {
			return false, refuse(http.StatusUnprocessableEntity, "PSU_HEADER_NOT_PROVIDED", "Required PSU header is not provided")
		}
	}
	return present, nil
}
