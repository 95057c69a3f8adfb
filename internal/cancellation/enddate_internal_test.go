package cancellation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/holidays"
)

// Who knows the contract can compute more ends.
func TestEndOfAKnownContract(t *testing.T) {
	renewing := deadline.Terms{
		Sector: deadline.Association, MinimumTerm: "P1Y", NoticePeriod: "P3M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1Y",
	}
	ending := deadline.Terms{Sector: deadline.Goods, MinimumTerm: "P1Y", Renewal: deadline.RenewalNone}
	s, channels := &Requests{holidays: holidays.In}, []Channel{{Kind: ChannelEmail}}
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
			p := Product{Terms: []deadline.Terms{tt.terms}, Channels: channels}
			facts := deadline.Facts{CancelledOn: "2026-03-02", ContractStart: tt.start}
			end, err := s.end(p, Request{Locale: "de-DE", EndDate: tt.wants}, channels, facts)
			require.Equal(t, tt.fails, err != nil, "%v", err)
			assert.Equal(t, tt.end, end)
		})
	}
}

// Digests from before there were end dates are stored with external identifiers.
func TestDigestWithoutAnEndDate(t *testing.T) {
	r := Request{
		ExternalID: "e", OrganizationID: "o", ProductID: "p", Locale: "de-DE",
		Parameters: []Parameter{{"B", "2"}, {"A", "1"}}, Signature: Signature{Text: "t", Image: []byte("i")}, ExtraConsent: true,
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
