package deadline

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cases returns the table of cases. testdata/cases.py works out the days independently.
func cases(t *testing.T) []map[string]string { return table(t, "testdata/cases.csv") }

func table(t *testing.T, file string) []map[string]string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var list []map[string]string
	for _, row := range rows[1:] {
		c := map[string]string{}
		for i, name := range rows[0] {
			c[name] = row[i]
		}
		list = append(list, c)
	}
	return list
}

func queryOf(t *testing.T, c map[string]string) Query {
	t.Helper()
	q := Query{
		Facts: Facts{ContractStart: Date(c["start"]), CancelledOn: Date(c["cancelledOn"])},
		Terms: []Terms{{
			Sector: Sector(c["sector"]), MinimumTerm: Period(c["minimum"]), NoticePeriod: Period(c["notice"]),
			Renewal: Renewal(c["renewal"]), RenewalTerm: Period(c["renewalTerm"]), EndOf: EndOf(c["endOf"]), Source: "terms",
		}},
		Channels: []Channel{Channel(c["channel"])}, Law: c["law"], Recipient: c["recipient"], Language: "en",
	}
	for fact := range strings.FieldsSeq(c["facts"]) {
		name, value, _ := strings.Cut(fact, "=")
		switch name {
		case "customer":
			q.Customer = Customer(value)
		case "renewalReminder":
			q.RenewalReminder = RenewalReminder(value)
		case "concludedOn":
			q.ConcludedOn = Date(value)
		case "lastRenewal":
			q.LastRenewal = Date(value)
		case "concludedAt":
			q.Agreed.ConcludedAt = ConcludedAt(value)
		case "written":
			q.Written = true
		default:
			require.Fail(t, "unknown fact", fact)
		}
	}
	return q
}

func endOf(q Query) Date {
	_, a := q.solve()
	return a.EarliestFreeEnd
}

func TestEveryCase(t *testing.T) {
	t.Parallel()
	all := cases(t)
	assert.GreaterOrEqual(t, len(all), 200)
	for i, c := range all {
		name := fmt.Sprintf("line %d %s %s from %s on %s", i+2, c["law"], c["sector"], c["start"], c["cancelledOn"])
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, c["why"])
			a := Compute(queryOf(t, c))
			assert.Equal(t, Date(c["end"]), a.EarliestEnd, c["why"])
			assert.Equal(t, Date(c["free"]), a.EarliestFreeEnd, c["why"])
			assert.Equal(t, c["end"] < c["free"], a.Costs, c["why"])
			var sendBy []SendBy
			if c["by"] != "" {
				sendBy = []SendBy{{Channel(c["by"]), Date(c["sendBy"])}}
			}
			assert.Equal(t, sendBy, a.SendBy, c["why"])
			assert.Equal(t, Date(c["next"]), a.NextChance, c["why"])
			assert.Equal(t, Requirement(c["form"]), a.Form.Requirement, c["why"])
			assert.Equal(t, c["form"] != "", a.Form.Reason != "", c["why"])
			certain := Answer{}
			if a.Certain != nil {
				certain = *a.Certain
			}
			assert.Equal(t, Date(c["certain"]), certain.EarliestFreeEnd, c["why"])
			if c["missing"] != "" {
				assert.Contains(t, a.Missing, c["missing"], c["why"])
				assert.Equal(t, Latest, a.Certainty, c["why"])
			}
		})
	}
}

// These are counted on a paper calendar.
func TestDaysAreCountedAsCivilCodesDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, period, last, why string }{
		{"2024-03-01", "P24M", "2026-02-28", "March to February, twice"},
		{"2023-03-01", "P1Y", "2024-02-29", "the year after ends with a leap February"},
		{"2024-02-29", "P1Y", "2025-02-28", "the day before a 29th that is missing is the 28th"},
		{"2024-02-29", "P4Y", "2028-02-28", "the day before the 29th"},
		{"2026-01-31", "P1M", "2026-02-28", "February has no 30th"},
		{"2026-01-30", "P1M", "2026-02-28", "February has no 29th in 2026"},
		{"2026-01-29", "P1M", "2026-02-28", "the day before a 29th that is missing"},
		{"2026-01-28", "P1M", "2026-02-27", "the day before the 28th"},
		{"2026-03-31", "P1M", "2026-04-30", "the day before a 31st that is missing"},
		{"2026-12-31", "P2M", "2027-02-28", "February has no 30th"},
		{"2026-05-15", "P14D", "2026-05-28", "the 15th is the first of fourteen days"},
		{"2026-12-29", "P1W", "2027-01-04", "the 29th is the first of seven days"},
	} {
		assert.Equal(t, Date(c.last), dateOf(Period(c.period).end(Date(c.start).Day())), c.why)
	}
	for _, c := range []struct{ arrival, period, last, why string }{
		{"2026-01-31", "P1M", "2026-02-28", "February has no 31st"},
		{"2026-02-28", "P1M", "2026-03-28", "the day with the number of the arrival"},
		{"2028-01-30", "P1M", "2028-02-29", "a leap February"},
		{"2026-05-01", "P14D", "2026-05-15", "the day of the arrival does not count"},
		{"2026-11-30", "P3M", "2027-02-28", "February has no 30th"},
		{"2026-11-27", "P2WD", "2026-12-01", "Friday, then Monday and Tuesday"},
	} {
		assert.Equal(t, Date(c.last), dateOf(Period(c.period).after(Date(c.arrival).Day(), newCalendar("DE"))), c.why)
	}
}

func TestUnknownTermsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	q := Query{
		Facts: Facts{CancelledOn: "2026-11-23"}, Channels: []Channel{Email},
		Law: "DE", Recipient: "DE", Language: "de",
	}
	fixed := Terms{Sector: "Services", MinimumTerm: "P1Y", NoticePeriod: "P1M", Renewal: RenewalFixed, RenewalTerm: "P1Y"}
	for name, c := range map[string]struct {
		change  func(*Query)
		missing []string
		end     Date
	}{
		"no terms":       {func(*Query) {}, []string{MissingTerms}, ""},
		"terms of later": {func(q *Query) { fixed.ValidFrom = "2027-01-01"; q.Terms = []Terms{fixed} }, []string{MissingTerms}, ""},
		"no start":       {func(q *Query) { fixed.ValidFrom = ""; q.Terms = []Terms{fixed} }, []string{MissingStart}, ""},
		"no start needed": {func(q *Query) {
			q.Terms = []Terms{{Sector: "Services", NoticePeriod: "P1M", Renewal: RenewalOpen, EndOf: EndOfMonth}}
		}, nil, "2026-12-31"}, // arrives on 24 November, a month later is 24 December
		"agreed terms are enough": {func(q *Query) {
			q.ContractStart = "2026-01-01"
			q.Agreed = Terms{NoticePeriod: "P2W", Renewal: RenewalOpen, EndOf: EndOfDay, Sector: "Services"}
		}, nil, "2026-12-08"},
		"but not without the sector": {func(q *Query) {
			q.ContractStart = "2026-01-01"
			q.Agreed = Terms{NoticePeriod: "P2W", Renewal: RenewalOpen, EndOf: EndOfDay}
		}, []string{MissingSector}, "2026-12-08"},
		"it ends by itself": {func(q *Query) {
			q.ContractStart = "2026-03-15"
			q.Terms = []Terms{{Sector: "Services", MinimumTerm: "P1Y", Renewal: RenewalNone}}
		}, nil, "2027-03-14"},
	} {
		other := q
		c.change(&other)
		a := Compute(other)
		assert.Equal(t, c.missing, a.Missing, name)
		assert.Equal(t, c.end, a.EarliestEnd, name)
		assert.NotEmpty(t, a.Steps, name)
	}
}

// D.L. 179/2012, art. 22: clauses of older contracts are void from 1 January 2013 on.
func TestItalianMotorInsuranceEndsByItself(t *testing.T) {
	t.Parallel()
	for cancelled, endsAlone := range map[Date]bool{"2012-12-31": false, "2013-01-01": true} {
		a := Compute(Query{
			Facts: Facts{ContractStart: "2012-06-01", CancelledOn: cancelled}, Channels: []Channel{Email},
			Terms: []Terms{{
				Sector: "MotorInsurance", MinimumTerm: "P1Y", NoticePeriod: "P15D", Renewal: RenewalFixed, RenewalTerm: "P1Y",
			}},
			Law: "IT", Recipient: "IT", Language: "it",
		})
		assert.Equal(t, Date("2013-05-31"), a.EarliestEnd, cancelled)
		assert.Equal(t, endsAlone, len(a.SendBy) == 0, cancelled)
	}
}

func TestFactsThatWouldChangeTheAnswerAreMissing(t *testing.T) {
	t.Parallel()
	terms := []Terms{{Sector: "Services", MinimumTerm: "P2Y", NoticePeriod: "P3M", Renewal: RenewalFixed, RenewalTerm: "P1Y"}}
	ask := func(law, recipient string, start Date, change func(*Query)) []string {
		q := Query{
			Facts: Facts{ContractStart: start, CancelledOn: "2026-11-23"}, Terms: terms, Channels: []Channel{Email},
			Law: law, Recipient: recipient, Language: "en",
		}
		change(&q)
		return Compute(q).Missing
	}
	nothing := func(*Query) {}
	assert.Equal(t, []string{MissingCustomer, MissingConcludedOn}, ask("DE", "DE", "2022-03-20", nothing),
		"begun soon after 1 March 2022: the day of the signature decides, and whether a business signed")
	assert.Equal(t, []string{MissingCustomer}, ask("DE", "DE", "2024-03-20", nothing))
	assert.Empty(t, ask("DE", "DE", "2024-03-20", func(q *Query) { q.Customer = Consumer }))
	assert.Equal(t, []string{MissingConcludedOn}, ask("DE", "DE", "2025-03-20", nothing),
		"in the first term, which counts from the signature")
	assert.Equal(t, []string{MissingReminder}, ask("FR", "FR", "2022-03-20", nothing))
	assert.Empty(t, ask("FR", "FR", "2026-03-20", nothing), "not renewed yet")
	assert.Equal(t, []string{MissingLaw, MissingHolidays}, ask("GB", "FI", "2024-03-20", nothing))
}

// Later ends are on the same days as those that come if the earliest is missed.
func TestEndsNotBeforeADay(t *testing.T) {
	t.Parallel()
	for i, c := range cases(t) {
		q := queryOf(t, c)
		for range 5 {
			end := endOf(q)
			assert.GreaterOrEqual(t, end, q.NotBefore, "line %d", i+2)
			q.NotBefore = end
			assert.Equal(t, end, endOf(q), "line %d", i+2)
			q.NotBefore = dateOf(addDays(end.Day(), 1))
			next := endOf(q)
			if next < q.NotBefore { // the contract ends by itself
				break
			}
			late := q
			late.NotBefore, late.CancelledOn = "", next
			assert.LessOrEqual(t, next, endOf(late), "line %d: who cancels on that day is not earlier", i+2)
		}
	}
}
