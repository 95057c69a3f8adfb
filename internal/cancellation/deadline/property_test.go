package deadline

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func drawDate(t *rapid.T, name string, from Date, days int) Date {
	return dateOf(addDays(from.Day(), rapid.IntRange(0, days).Draw(t, name)))
}

func drawPeriod(t *rapid.T, name string, periods ...Period) Period {
	return rapid.SampledFrom(periods).Draw(t, name)
}

func drawQuery(t *rapid.T) Query {
	channels := []Channel{Email, Mail, RegisteredMail, Fax}
	countries := []string{"DE", "AT", "CH", "FR", "IT", "ES", "NL", "BE", "PL", "SE", "GB", "PT", "DK", "IE", "CZ"}
	terms := Terms{
		Sector:       rapid.SampledFrom(allSectors()).Draw(t, "sector"),
		MinimumTerm:  drawPeriod(t, "minimum", "", "P1M", "P14D", "P12M", "P24M", "P5Y"),
		NoticePeriod: drawPeriod(t, "notice", "", "P3D", "P2W", "P1M", "P3M", "P6M"),
		Renewal:      rapid.SampledFrom([]Renewal{RenewalFixed, RenewalOpen}).Draw(t, "renewal"),
		RenewalTerm:  drawPeriod(t, "renewalTerm", "P1M", "P4W", "P3M", "P1Y"),
		EndOf: rapid.SampledFrom([]EndOf{
			EndOfDay, EndOfMonth, EndOfQuarter, EndOfHalfYear, EndOfCalendarYear, EndOfContractMonth, EndOfContractYear,
		}).Draw(t, "endOf"),
	}
	return Query{
		Facts: Facts{
			ContractStart:   drawDate(t, "start", "2019-01-01", 3000),
			CancelledOn:     drawDate(t, "cancelledOn", "2026-02-12", 1800), // no law came into force since then
			Customer:        rapid.SampledFrom([]Customer{Consumer, SmallBusiness, Business}).Draw(t, "customer"),
			RenewalReminder: rapid.SampledFrom([]RenewalReminder{ReminderSent, ReminderNotSent}).Draw(t, "reminder"),
			ConcludedOn:     "2022-06-01", // the law stays the same while the start varies
		},
		Terms: []Terms{terms}, Channels: channels[rapid.IntRange(0, 3).Draw(t, "channel"):],
		Law:       rapid.SampledFrom(countries).Draw(t, "law"),
		Recipient: rapid.SampledFrom(countries).Draw(t, "recipient"),
		Language:  rapid.SampledFrom(languages()).Draw(t, "language"),
	}
}

func TestAnswersAreConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		a := Compute(q)
		assert.NotEmpty(t, a.EarliestEnd)
		assert.Equal(t, a.Costs, a.EarliestEnd < a.EarliestFreeEnd)
		assert.LessOrEqual(t, a.EarliestEnd, a.EarliestFreeEnd)
		if len(a.SendBy) == 0 { // Italian and Austrian law end it by itself
			assert.Contains(t, []string{"IT", "AT"}, q.Law)
			return
		}
		for _, s := range a.SendBy {
			assert.True(t, a.Form.Allows(s.Channel), "a channel that counts")
			assert.LessOrEqual(t, s.Date, a.EarliestFreeEnd, "sent before the end")
			assert.GreaterOrEqual(t, s.Date, q.CancelledOn, "not sent in the past")
		}
		assert.GreaterOrEqual(t, a.EarliestFreeEnd, q.ContractStart)
		assert.Greater(t, a.NextChance, a.EarliestFreeEnd)

		last := q
		last.CancelledOn = a.SendBy[0].Date
		assert.Equal(t, a.EarliestFreeEnd, endOf(last), "the last day to send is in time")
		if a.Certain != nil {
			assert.GreaterOrEqual(t, a.Certain.EarliestFreeEnd, a.EarliestFreeEnd, "what is not certain is no worse")
			certain := map[Channel]Date{}
			for _, s := range a.Certain.SendBy {
				certain[s.Channel] = s.Date
			}
			for _, s := range a.SendBy { // a channel may be too slow for one of them
				assert.LessOrEqual(t, s.Date, cmp.Or(certain[s.Channel], s.Date), "the earlier day is advised")
			}
			return
		}
		late := q
		late.CancelledOn = dateOf(addDays(a.SendBy[0].Date.Day(), 1))
		assert.Equal(t, a.NextChance, endOf(late), "the day after is for the next chance")
	})
}

func TestWhoCancelsLaterEndsNoEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		later := q
		later.CancelledOn = dateOf(addDays(q.CancelledOn.Day(), rapid.IntRange(1, 400).Draw(t, "later")))
		assert.GreaterOrEqual(t, endOf(later), endOf(q))
	})
}

func TestAFirstTermThatBeginsLaterEndsNoEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.CancelledOn = dateOf(addDays(q.ContractStart.Day(), -400)) // in time for the first end
		later := q
		later.ContractStart = dateOf(addDays(q.ContractStart.Day(), rapid.IntRange(1, 400).Draw(t, "later")))
		// What begins within a month may last until the first of the month after a year, a day more than
		// what begins on the first: see Limits.ToNextMonth.
		assert.GreaterOrEqual(t, dateOf(addDays(endOf(later).Day(), 1)), endOf(q))
	})
}

func TestASlowerChannelIsSentNoLater(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.Channels = []Channel{RegisteredMail, Mail, Email}
		a := Compute(q)
		for i := 1; i < len(a.SendBy); i++ {
			assert.LessOrEqual(t, a.SendBy[i-1].Date, a.SendBy[i].Date)
		}
	})
}

func TestAStatuteNeverMakesThingsWorse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		lawless := q
		lawless.Law, lawless.Channels = "ZZ", FormOf(q).allowed(q.Channels)
		assert.LessOrEqual(t, endOf(q), endOf(lawless))
	})
}

// Each statute protects: without it, nobody whom it protects is free earlier.
func TestNoStatuteMakesThingsWorse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.ConcludedOn = drawDate(t, "concluded", "2021-06-01", 2000)
		terms, _ := q.termsInForce()
		q.Channels = FormOf(q).allowed(q.Channels)
		for _, s := range q.statutesFor(contract{Terms: terms, facts: q.Facts, written: q.Written}) {
			other := q
			other.without = s.ID
			if slices.Equal(FormOf(other).allowed(q.Channels), q.Channels) {
				assert.LessOrEqual(t, endOf(q), endOf(other), s.ID)
			}
		}
	})
}

// What is not known never looks like knowledge, and a fact that makes it known costs nobody a day.
func TestAnEndWithoutLawIsTheLatest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		sector := q.Terms[0].Sector
		q.Terms[0].Sector = rapid.SampledFrom([]Sector{"", sector}).Draw(t, "known")
		a := Compute(q)
		sendBy, next := a.LastChance()
		if slices.Contains(a.Missing, MissingLaw) || slices.Contains(a.Missing, MissingSector) {
			assert.Equal(t, Latest, a.Certainty)
			assert.Empty(t, sendBy)
			assert.Empty(t, next)
			assert.False(t, slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Rule == "lead_time" }))
		} else {
			assert.Equal(t, Exact, a.Certainty)
			assert.Equal(t, a.SendBy, sendBy)
		}
		told := q
		told.Customer = rapid.SampledFrom([]Customer{Consumer, SmallBusiness, Business}).Draw(t, "told customer")
		told.RenewalReminder = rapid.SampledFrom([]RenewalReminder{ReminderSent, ReminderNotSent}).Draw(t, "told reminder")
		told.Agreed.ConcludedAt = rapid.SampledFrom([]ConcludedAt{Distance, Doorstep, Shop}).Draw(t, "told place")
		if a.Certainty == Latest {
			assert.LessOrEqual(t, endOf(told), endOf(q), "a fact")
		}
		known := q
		known.Terms = slices.Clone(q.Terms)
		known.Terms[0].Sector = sector
		q.Channels = FormOf(known).allowed(q.Channels)
		assert.LessOrEqual(t, endOf(known), endOf(q))
	})
}

// A limit of the first term moves renewals of four weeks to other days. Those of the contract stay.
func TestAShorterFirstTermKeepsTheContractsRenewals(t *testing.T) {
	t.Parallel()
	q := Query{
		Facts: Facts{ContractStart: "2019-03-12", CancelledOn: "2026-06-05", ConcludedOn: "2022-06-01"},
		Terms: []Terms{{
			Sector: Telecom, MinimumTerm: "P5Y", NoticePeriod: "P2W", Renewal: RenewalFixed, RenewalTerm: "P4W",
		}},
		Channels: []Channel{Mail}, Law: "AT", Recipient: "DE", Language: "de",
	}
	assert.Equal(t, Date("2026-06-29"), endOf(q))
}
