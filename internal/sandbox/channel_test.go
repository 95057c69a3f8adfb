package sandbox

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The formats of postal codes by country.
var postalCodes = map[string]*regexp.Regexp{
	"AT": regexp.MustCompile(`^[1-9][0-9]{3}$`),
	"BE": regexp.MustCompile(`^[1-9][0-9]{3}$`),
	"CH": regexp.MustCompile(`^[1-9][0-9]{3}$`),
	"DE": regexp.MustCompile(`^[0-9]{5}$`),
	"DK": regexp.MustCompile(`^[1-9][0-9]{3}$`),
	"ES": regexp.MustCompile(`^[0-5][0-9]{4}$`),
	"FR": regexp.MustCompile(`^[0-9]{5}$`),
	"GB": regexp.MustCompile(`^[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{2}$`),
	"IE": regexp.MustCompile(`^[AC-FHKNPRTV-Y][0-9]{2} [0-9AC-FHKNPRTV-Y]{4}$`),
	"IT": regexp.MustCompile(`^[0-9]{5}$`),
	"NL": regexp.MustCompile(`^[1-9][0-9]{3} [A-Z]{2}$`),
	"PL": regexp.MustCompile(`^[0-9]{2}-[0-9]{3}$`),
	"SE": regexp.MustCompile(`^[1-9][0-9]{2} [0-9]{2}$`),
}

var (
	faxNumber = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
	mailbox   = regexp.MustCompile(`^[a-z-]+@([a-z0-9.-]+)$`)
)

func TestEveryChannelHasItsTarget(t *testing.T) {
	everyProduct(t, func(t *testing.T, o organization, p product) {
		assert.NotEmpty(t, p.Channels)
		kinds := map[string]bool{}
		for _, c := range p.Channels {
			assert.False(t, kinds[c.Kind], "%s twice", c.Kind)
			kinds[c.Kind] = true
			switch c.Kind {
			case "Email":
				assertMailbox(t, o, c.Email)
				assert.Empty(t, c.Fax)
				assert.Nil(t, c.Address)
			case "Fax":
				assert.Regexp(t, faxNumber, c.Fax)
				assert.Empty(t, c.Email)
				assert.Nil(t, c.Address)
			case "Mail", "RegisteredMail":
				assertAddress(t, c.Address)
				assert.Empty(t, c.Email)
				assert.Empty(t, c.Fax)
			default:
				assert.Fail(t, "no channel", c.Kind)
			}
		}
	})
}

// assertMailbox requires an unassigned domain or the mailbox simulator of SES.
func assertMailbox(t *testing.T, o organization, email string) {
	t.Helper()
	parts := mailbox.FindStringSubmatch(email)
	if assert.NotNil(t, parts, "no address") {
		if o.Category == "test-organizations" && parts[1] == "simulator.amazonses.com" {
			return
		}
		assert.Equal(t, o.Slug+".example", parts[1])
	}
}

func assertAddress(t *testing.T, a *address) {
	t.Helper()
	if !assert.NotNil(t, a, "no address") {
		return
	}
	assert.NotEmpty(t, a.Recipient)
	assert.LessOrEqual(t, len(a.Recipient), 3)
	for _, text := range append([]string{a.Street, a.City}, a.Recipient...) {
		assert.NotEmpty(t, text)
		assert.Equal(t, strings.TrimSpace(text), text)
		assert.LessOrEqual(t, len([]rune(text)), 60, "too long for the window of an envelope")
	}
	if assert.Contains(t, postalCodes, a.CountryCode) {
		assert.Regexp(t, postalCodes[a.CountryCode], a.PostalCode)
	}
}

func TestEveryChannelKindIsUsed(t *testing.T) {
	_, organizations := read(t)
	ways, forms := map[string]int{}, map[string]int{}
	for _, o := range organizations {
		for _, p := range o.Products {
			ways[p.kinds()]++
			forms[p.Form]++
		}
	}
	for _, way := range []string{
		"Email", "Mail", "RegisteredMail", "Fax",
		"Email Mail", "Email Fax Mail", "Fax Mail", "RegisteredMail Mail", "RegisteredMail Email", "Mail Email",
		"Email Fax Mail RegisteredMail",
	} {
		assert.Positive(t, ways[way], way)
	}
	for _, form := range []string{"Text", "Written", "WetInk"} {
		assert.Positive(t, forms[form], form)
	}
}

func TestOrganizationsForTests(t *testing.T) {
	_, organizations := read(t)
	of := map[string]organization{}
	for _, o := range organizations {
		of[o.Slug] = o
	}
	for slug, want := range map[string]struct{ kinds, email, form string }{
		"bounce-gmbh":           {"Email Mail", "bounce@simulator.amazonses.com", "Text"},
		"sackgasse-gmbh":        {"Email", "bounce@simulator.amazonses.com", "Text"},
		"complaint-club":        {"Email", "complaint@simulator.amazonses.com", "Text"},
		"suppressed-ltd":        {"Email Fax", "suppressionlist@simulator.amazonses.com", "Text"},
		"success-society":       {"Email", "success@simulator.amazonses.com", "Text"},
		"nur-e-mail":            {"Email", "", "Text"},
		"nur-fax":               {"Fax", "", "Text"},
		"nur-post":              {"Mail", "", "Text"},
		"nur-einschreiben":      {"RegisteredMail", "", "Written"},
		"einschreiben-oder-fax": {"RegisteredMail Fax", "", "Text"},
		"nur-mit-tinte":         {"Mail", "", "WetInk"},
		"alle-kanaele":          {"Email Fax Mail RegisteredMail", "", "Text"},
		"extra-consent-test":    {"Email", "", "Text"},
	} {
		t.Run(slug, func(t *testing.T) {
			o := of[slug]
			if assert.Len(t, o.Products, 1) {
				p := o.Products[0]
				assert.Equal(t, "test-organizations", o.Category)
				assert.Equal(t, want.kinds, p.kinds())
				assert.Equal(t, want.form, p.Form)
				assert.Equal(t, slug == "extra-consent-test", *o.ExtraConsent)
				if want.email != "" {
					assert.Equal(t, want.email, p.Channels[0].Email)
				}
			}
		})
	}
}
