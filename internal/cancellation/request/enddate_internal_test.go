package request

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
)

// Who knows the contract can compute more ends.
func TestEndOfAKnownContract(t *testing.T) {
	renewing := deadline.Terms{
		Sector: "Association", MinimumTerm: "P1Y", NoticePeriod: "P3M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1Y",
	}
	ending := deadline.Terms{Sector: "Goods", MinimumTerm: "P1Y", Renewal: deadline.RenewalNone}
	s, channels := &Requests{}, []cancellation.Channel{{Kind: cancellation.ChannelEmail}}
	for name, tt := range map[string]struct {
		terms      deadline.Terms
		start      deadline.Date
		wants, end deadline.Date
		fails      bool
	}{
		"of unknown start":                    {renewing, "", "", "", false},
		"of unknown start, with a wish":       {renewing, "", "2026-05-15", "2026-05-15", false},
		"of known start":                      {renewing, "2025-09-01", "", "2026-08-31", false},
		"a year later":                        {renewing, "2025-09-01", "2027-08-31", "2027-08-31", false},
		"within the term":                     {renewing, "2025-09-01", "2026-12-31", "", true},
		"that began on a leap day":            {renewing, "2024-02-29", "2027-02-28", "2027-02-28", false},
		"that ends by itself":                 {ending, "2025-09-01", "", "2026-08-31", false},
		"that ends by itself before the wish": {ending, "2025-09-01", "2026-09-30", "", true},
		"that has ended by itself":            {ending, "2024-09-01", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := catalogue.Product{Terms: []deadline.Terms{tt.terms}, Channels: channels}
			facts := deadline.Facts{CancelledOn: "2026-03-02", ContractStart: tt.start}
			end, err := s.end(p, Request{Locale: "de-DE", EndDate: tt.wants}, channels, facts)
			require.Equal(t, tt.fails, err != nil, "%v", err)
			assert.Equal(t, tt.end, end)
		})
	}
}

// Where no law is known, the contract's date is only the latest end: an earlier one may be asked for, and a letter without
// a date asks for the earliest. The supply of a home ends only on a day that the user names.
func TestEndWhereTheLawIsNotKnown(t *testing.T) {
	s, channels := &Requests{}, []cancellation.Channel{{Kind: cancellation.ChannelEmail}}
	end := func(sector deadline.Sector, locale cancellation.Locale, wants deadline.Date, kind deadline.ReasonKind) (deadline.Date, error) {
		year := deadline.Terms{
			Sector: sector, MinimumTerm: "P24M", NoticePeriod: "P1M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1Y",
		}
		p := catalogue.Product{Terms: []deadline.Terms{year}, Channels: channels}
		facts := deadline.Facts{CancelledOn: "2026-03-02", ContractStart: "2025-02-10"}
		return s.end(p, Request{Locale: locale, EndDate: wants, Reason: deadline.Reason{Kind: kind}}, channels, facts)
	}
	for _, sector := range []deadline.Sector{"", "Services"} {
		for _, wants := range []deadline.Date{"", "2026-03-31"} {
			got, err := end(sector, "en-GB", wants, "")
			require.NoError(t, err)
			assert.Equal(t, wants, got)
		}
	}
	for _, sector := range []deadline.Sector{"Energy", "EnergyBasicSupply", "Water"} {
		_, err := end(sector, "fr-FR", "", "")
		require.ErrorContains(t, err, "validation_failed")
		_, err = end(sector, "fr-FR", "", deadline.ReasonPriceRise)
		require.ErrorContains(t, err, "validation_failed")
		got, err := end(sector, "fr-FR", "", deadline.ReasonWithdrawal)
		require.NoError(t, err)
		assert.Equal(t, deadline.Date("2026-03-02"), got)
	}
	got, err := end("Energy", "fr-FR", "2026-04-30", "")
	require.NoError(t, err)
	assert.Equal(t, deadline.Date("2026-04-30"), got)
}

// Letters do not ask for an end that costs something, nor for one that only the new insurer can
// bring about; the user may choose the first.
func TestEndThatTheUsersLetterBringsAbout(t *testing.T) {
	s, channels := &Requests{}, []cancellation.Channel{{Kind: cancellation.ChannelEmail}}
	year := deadline.Terms{MinimumTerm: "P24M", NoticePeriod: "P1M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1Y"}
	end := func(sector deadline.Sector, locale cancellation.Locale, wants deadline.Date) deadline.Date {
		year.Sector = sector
		p := catalogue.Product{Terms: []deadline.Terms{year}, Channels: channels}
		facts := deadline.Facts{CancelledOn: "2026-03-02", ContractStart: "2025-02-10"}
		got, err := s.end(p, Request{Locale: locale, EndDate: wants}, channels, facts)
		require.NoError(t, err)
		return got
	}
	assert.Equal(t, deadline.Date("2027-02-09"), end(deadline.Telecom, "it-IT", ""))
	assert.Equal(t, deadline.Date("2026-04-30"), end(deadline.Telecom, "it-IT", "2026-04-30"))
	assert.Equal(t, deadline.Date("2026-04-03"), end(deadline.HomeInsurance, "fr-FR", ""), "a month after it arrives")
	assert.Equal(t, deadline.Date("2027-02-09"), end("MotorInsurance", "fr-FR", ""), "the end of its year")
}

// Digests are stored with external identifiers.
func TestGoldenDigest(t *testing.T) {
	r := Request{
		ExternalID: "e", OrganizationID: "o", ProductID: "p", Locale: "de-DE",
		Parameters: []Parameter{{"B", "2"}, {"A", "1"}}, ExtraConsent: true,
		Signature: cancellation.Signature{Text: "t", Image: []byte("i")},
	}
	digest := func() string {
		content, err := r.content()
		require.NoError(t, err)
		return content
	}
	before := digest()
	assert.Equal(t, "4779343b276733e72d9b5c7015a39b5aa653b65f71b41db7b3543033b2b29200", before)
	r.Repeat = true
	assert.Equal(t, before, digest(), "repeat changes nothing about the cancellation")
	r.EndDate = "2026-05-31"
	assert.NotEqual(t, before, digest())
}
