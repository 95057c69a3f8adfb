package deadline

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func allSectors() []Sector {
	return []Sector{
		Telecom, "Television", "Energy", "EnergyBasicSupply", "Insurance", "MotorInsurance", HomeInsurance, "HealthInsurance",
		"StatutoryHealth", "Life", "Affinity", "Heat", "Water", "Rental", "Party", "Press", "Association", "Goods", "Services",
		"Course", "Banking", "Care",
	}
}

// eachLaw calls do with the law of each country.
func eachLaw(t *testing.T, do func(country string, l law)) {
	t.Helper()
	require.GreaterOrEqual(t, len(laws()), 15)
	for country, read := range laws() {
		do(country, read())
	}
}

// checkSource checks what statutes and price rights have in common.
func checkSource(t *testing.T, country, id, citation, address, rule string, sectors []Sector, confirmed *Confirmation, unconfirmed bool) {
	t.Helper()
	assert.True(t, strings.HasPrefix(id, strings.ToLower(country)+"-"), id)
	assert.NotEmpty(t, citation, id)
	assert.True(t, strings.HasSuffix(rule, "."), "%s has a sentence of ours", id)
	u, err := url.Parse(address)
	require.NoError(t, err, id)
	assert.Equal(t, "https", u.Scheme, id)
	assert.NotEmpty(t, sectors, id)
	for _, s := range sectors {
		assert.Contains(t, allSectors(), s, id)
	}
	require.NotEqual(t, confirmed != nil, unconfirmed, "%s is either confirmed or not", id)
	if confirmed != nil {
		assert.NotEmpty(t, confirmed.By, id)
		checkDates(t, id, confirmed.Read)
		assert.NotEmpty(t, confirmed.Read, id)
	}
}

func checkDates(t *testing.T, id string, dates ...Date) {
	t.Helper()
	for _, d := range dates {
		if d != "" {
			_, err := ParseDate(string(d))
			assert.NoError(t, err, id)
		}
	}
}

func checkPeriods(t *testing.T, id string, periods ...Period) {
	t.Helper()
	for _, p := range periods {
		assert.Equal(t, p == "", p.isZero(), "%s: %s", id, p)
	}
}

func TestStatutesAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	notes := []message{
		"", "noteOnline", "noteSameForm", "noteNoButton", "noteReminder", "noteNewProvider", "noteSurrender",
		"noteNextCover", "noteLoan", "notePosted"}
	conditions := []Condition{
		Always, FirstTermOver, OpenOrFirstTermOver, HasFirstTerm, NotReminded, RunsOpen, HasEnd, EndsWithCalendarYear,
		WrittenForm, WrittenFormAtDistance,
	}
	eachLaw(t, func(country string, l law) {
		assert.NotEmpty(t, l.Country)
		known := newCalendar(country).isKnown()
		assert.True(t, known || country == "PT" || country == "FI", country)
		for _, s := range l.Statutes {
			assert.False(t, seen[s.ID], s.ID)
			seen[s.ID] = true
			checkSource(t, country, s.ID, s.Citation, s.URL, s.Rule, s.Sectors, s.Confirmed, s.Unconfirmed)
			checkDates(t, s.ID, s.InForce.From, s.InForce.Until, s.Concluded.From, s.Concluded.Until)
			checkPeriods(t, s.ID, s.When.Over, s.Limits.FirstTerm, s.Limits.Notice, s.Limits.Renewal)
			assert.Contains(t, conditions, s.When.Condition, s.ID)
			assert.Contains(t, notes, s.Note, s.ID)
			assert.Equal(t, Consumer, s.Customers[0], s.ID)
			smallest := []Customer{Consumer, SmallBusiness, Business}[:len(s.Customers)]
			assert.Equal(t, smallest, s.Customers, "%s protects who is smaller first", s.ID)
			assert.True(t, s.Exit != nil || s.Form != nil || s.Note != "" || s.Limits != Limits{}, "%s does something", s.ID)
			if x := s.Exit; x != nil {
				assert.Contains(t, []ExitFrom{FromStart, FirstTermEnd, AfterFirstTerm, AfterTime, AfterConclusion}, x.From, s.ID)
				assert.Equal(t, x.From == AfterTime || x.From == AfterConclusion, x.After != "", s.ID)
				assert.True(t, x.EndOf == EndOfDay || x.EndOf.calendarMonths()+x.EndOf.contractMonths() > 0, s.ID)
				checkPeriods(t, s.ID, x.After, x.Notice)
			}
			assert.False(t, s.OnlyIf != "" && (s.Unconfirmed || s.Note != "" || s.Form != nil), "%s: OnlyIf is about dates", s.ID)
			if f := s.Form; f != nil {
				assert.Contains(t, []Requirement{TextEnough, SignedLetter, Registered}, f.Requirement, s.ID)
				assert.NotContains(t, f.Void, RegisteredMail, s.ID)
			}
		}
	})
}

func TestPriceRightsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	eachLaw(t, func(country string, l law) {
		for i, r := range l.PriceRights {
			assert.False(t, seen[r.ID], r.ID)
			seen[r.ID] = true
			checkSource(t, country, r.ID, r.Citation, r.URL, r.Rule, r.Sectors, r.Confirmed, r.Unconfirmed)
			checkDates(t, r.ID, r.InForce.From, r.InForce.Until)
			checkPeriods(t, r.ID, r.Counts.For)
			assert.Contains(t, []string{RightYes, RightUnknown}, r.Answer, r.ID)
			assert.Contains(t, []string{"", fromNotice, noticeMonth, untilEffect, riseMonth}, r.Counts.From, r.ID)
			assert.Equal(t, r.Counts.From == fromNotice || r.Counts.From == noticeMonth, r.Counts.For != "", r.ID)
			assert.Equal(t, r.Answer == RightUnknown, slices.Contains(r.Missing, MissingReason), r.ID)
			for _, other := range l.PriceRights[:i] {
				shared := slices.ContainsFunc(r.Sectors, func(s Sector) bool { return slices.Contains(other.Sectors, s) })
				apart := other.InForce.Until != "" && other.InForce.Until < r.InForce.From ||
					r.InForce.Until != "" && r.InForce.Until < other.InForce.From
				assert.False(t, shared && !apart, "%s and %s answer the same question", other.ID, r.ID)
			}
		}
	})
}

// Files that say something that Go does not read are refused.
func TestAFileWithAnUnknownMemberIsRefused(t *testing.T) {
	t.Parallel()
	err := decode([]byte("country: X\nstatutes:\n  - {id: x-1, sector: [Press]}\n"), &law{})
	require.ErrorContains(t, err, "field sector not found")
}
