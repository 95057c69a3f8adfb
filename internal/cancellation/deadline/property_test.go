package deadline

import (
	"testing"

	"aviso/internal/cancellation/holidays"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawDate(t *rapid.T, name string, from Date, days int) Date {
	return dateOf(addDays(from.day(), rapid.IntRange(0, days).Draw(t, name)))
}

func drawPeriod(t *rapid.T, name string, periods ...Period) Period {
	return rapid.SampledFrom(periods).Draw(t, name)
}

func drawQuery(t *rapid.T) Query {
	channels := []Channel{Email, Mail, RegisteredMail, Fax}
	countries := []string{"DE", "AT", "CH", "FR", "IT", "ES", "NL", "BE", "PL", "SE", "GB", "PT"}
	terms := Terms{
		Sector: rapid.SampledFrom([]Sector{
			Telecom, Television, Energy, EnergyBasicSupply, Insurance, MotorInsurance, HomeInsurance, HealthInsurance, Press,
			Association, Goods, Services,
		}).Draw(t, "sector"),
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
			CancelledOn:     drawDate(t, "cancelledOn", "2026-01-01", 1800), // no law came into force since then
			Customer:        rapid.SampledFrom([]Customer{Consumer, Business}).Draw(t, "customer"),
			RenewalReminder: rapid.SampledFrom([]RenewalReminder{ReminderSent, ReminderNotSent}).Draw(t, "reminder"),
			ConcludedOn:     "2022-06-01", // the law stays the same while the start varies
		},
		Terms: []Terms{terms}, Channels: channels[rapid.IntRange(0, 3).Draw(t, "channel"):],
		Law:       rapid.SampledFrom(countries).Draw(t, "law"),
		Recipient: rapid.SampledFrom(countries).Draw(t, "recipient"),
		Holidays:  holidays.In,
		Language:  rapid.SampledFrom(languages()).Draw(t, "language"),
	}
}

func TestAnswersAreConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		a := Compute(q)
		assert.NotEmpty(t, a.EarliestEnd)
		if len(a.SendBy) == 0 { // Italian law ends it by itself
			assert.Equal(t, "IT", q.Law)
			return
		}
		if assert.NotEmpty(t, a.SendBy) {
			assert.Equal(t, q.Channels[0], a.SendBy[0].Channel)
		}
		for _, s := range a.SendBy {
			assert.LessOrEqual(t, s.Date, a.EarliestEnd, "sent before the end")
			assert.GreaterOrEqual(t, s.Date, q.CancelledOn, "not sent in the past")
		}
		assert.GreaterOrEqual(t, a.EarliestEnd, q.ContractStart)
		assert.Greater(t, a.NextChance, a.EarliestEnd)

		last := q
		last.CancelledOn = a.SendBy[0].Date
		assert.Equal(t, a.EarliestEnd, Compute(last).EarliestEnd, "the last day to send is in time")
		late := q
		late.CancelledOn = dateOf(addDays(a.SendBy[0].Date.day(), 1))
		assert.Equal(t, a.NextChance, Compute(late).EarliestEnd, "the day after is for the next chance")
	})
}

func TestWhoCancelsLaterEndsNoEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		later := q
		later.CancelledOn = dateOf(addDays(q.CancelledOn.day(), rapid.IntRange(1, 400).Draw(t, "later")))
		assert.GreaterOrEqual(t, Compute(later).EarliestEnd, Compute(q).EarliestEnd)
	})
}

func TestAFirstTermThatBeginsLaterEndsNoEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.CancelledOn = dateOf(addDays(q.ContractStart.day(), -400)) // in time for the first end
		later := q
		later.ContractStart = dateOf(addDays(q.ContractStart.day(), rapid.IntRange(1, 400).Draw(t, "later")))
		assert.GreaterOrEqual(t, Compute(later).EarliestEnd, Compute(q).EarliestEnd)
	})
}

func TestASlowerChannelIsSentNoLater(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		q.Channels = []Channel{RegisteredMail, Mail, Email}
		a := Compute(q)
		if len(a.SendBy) > 0 {
			require.Len(t, a.SendBy, 3)
			assert.LessOrEqual(t, a.SendBy[0].Date, a.SendBy[1].Date)
			assert.LessOrEqual(t, a.SendBy[1].Date, a.SendBy[2].Date)
		}
	})
}

func TestAStatuteNeverMakesThingsWorse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		lawless := q
		lawless.Law = "ZZ"
		assert.LessOrEqual(t, Compute(q).EarliestEnd, Compute(lawless).EarliestEnd)
	})
}
