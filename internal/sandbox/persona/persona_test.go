package persona_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/sandbox/persona"
)

var branches = []persona.Branch{
	{Bank: "one", Country: "DE", Currency: "EUR", Language: "de"},
	{Bank: "two", Country: "AT", Currency: "EUR", Language: "de"},
	{Bank: "three", Country: "FR", Currency: "EUR", Language: "fr"},
	{Bank: "four", Country: "ES", Currency: "EUR", Language: "es"},
	{Bank: "five", Country: "IT", Currency: "EUR", Language: "it"},
	{Bank: "six", Country: "NL", Currency: "EUR", Language: "nl"},
	{Bank: "seven", Country: "BE", Currency: "EUR", Language: "nl"},
	{Bank: "eight", Country: "IE", Currency: "EUR", Language: "en"},
	{Bank: "nine", Country: "PT", Currency: "EUR", Language: "pt"},
	{Bank: "ten", Country: "SE", Currency: "SEK", Language: "sv"},
	{Bank: "eleven", Country: "LU", Currency: "EUR", Language: "fr"},
}

func today(t *testing.T, s string) persona.Day {
	t.Helper()
	d, err := persona.ParseDay(s)
	require.NoError(t, err)
	return d
}

func TestDays(t *testing.T) {
	assert.Equal(t, "2022-01-01", persona.Epoch.String())
	berlin := time.FixedZone("", 3600)
	assert.Equal(t, "2026-01-01", persona.DayOf(time.Date(2025, 12, 31, 23, 30, 0, 0, time.UTC).In(berlin)).String())
	_, err := persona.ParseDay("2026-02-30")
	assert.Error(t, err)
}

func TestCentsString(t *testing.T) {
	for cents, want := range map[persona.Cents]string{0: "0.00", 7: "0.07", -7: "-0.07", -1234: "-12.34", 100: "1.00"} {
		assert.Equal(t, want, cents.String())
	}
}

func TestFirstPersonaIsHealthy(t *testing.T) {
	assert.Equal(t, persona.Healthy, persona.All()[0].Behaviour)
	_, found := persona.Find("nobody")
	assert.False(t, found)
}

func TestBrandSlugsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range persona.Brands() {
		assert.False(t, seen[b.Slug], b.Slug)
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, b.Slug)
		assert.Regexp(t, `^\d{4}$`, b.MCC)
		seen[b.Slug] = true
	}
	assert.GreaterOrEqual(t, len(seen), 30)
}

// A later statement begins with the rows of the earlier one. A pending row is booked
// with the same content, or its hold is released.
func TestHistoryOnlyGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(persona.All()).Draw(t, "persona")
		b := rapid.SampledFrom(branches).Draw(t, "branch")
		day := persona.Epoch + persona.Day(rapid.IntRange(0, 300).Draw(t, "day"))
		later := day + persona.Day(rapid.IntRange(0, 40).Draw(t, "later"))

		before, after := p.Statements(b, day), p.Statements(b, later)
		for key, was := range before {
			is := after[key]
			require.GreaterOrEqual(t, len(is.Booked), len(was.Booked))
			for i, e := range was.Booked {
				require.Equal(t, e, is.Booked[i])
			}
			for _, pending := range was.Pending {
				if later < max(pending.Booked, pending.Vanishes) { // Easter delays some by a week
					continue
				}
				booked := false
				for _, e := range is.Booked[len(was.Booked):] {
					booked = booked || e == pending || e.Identity == pending.Identity
				}
				require.Equal(t, pending.Vanishes == 0, booked, "%+v", pending)
			}
		}
	})
}

func TestRowsAreUnique(t *testing.T) {
	for _, p := range persona.All() {
		seen := map[uint64]bool{}
		for _, s := range p.Statements(branches[0], today(t, "2026-11-20")) {
			for _, e := range append(s.Booked, s.Pending...) {
				require.False(t, seen[e.Identity])
				seen[e.Identity] = true
			}
		}
	}
}

func TestEveryRowIsWellFormed(t *testing.T) {
	now := today(t, "2023-11-20")
	for _, b := range branches {
		for _, p := range persona.All()[:5] { // the others live as the first does
			for key, s := range p.Statements(b, now) {
				for _, e := range append(s.Booked, s.Pending...) {
					require.NotZero(t, e.Amount)
					require.LessOrEqual(t, utf8.RuneCountInString(e.Text), 140, e.Text)
					require.NotContains(t, e.Text, "{", "%s %s %s", b.Language, p.ID, e.Text)
					require.NotEqual(t, e.Text == "", e.Reference == "")
					require.LessOrEqual(t, len(e.EndToEnd), 35)
					require.LessOrEqual(t, len(e.Mandate), 35)
					require.Len(t, strings.Split(e.Code, "-"), 3)
					require.LessOrEqual(t, e.Entered, now)
				}
				for _, e := range s.Pending {
					require.LessOrEqual(t, now-e.Entered, persona.Day(5), "%s %s", p.ID, key)
				}
			}
		}
	}
}

func TestTransfersBetweenOwnAccountsAreEqualAndOpposite(t *testing.T) {
	for _, id := range []string{"anna", "family", "freelancer"} {
		p, _ := persona.Find(id)
		total, rows := persona.Cents(0), 0
		for _, s := range p.Statements(branches[0], today(t, "2026-11-20")) {
			for _, e := range s.Booked {
				if strings.HasSuffix(e.Code, "-BOOK") {
					total += e.Amount
					rows++
				}
			}
		}
		assert.Zero(t, total, id)
		assert.Greater(t, rows, 40, id)
	}
}

func TestHistoriesArePlausible(t *testing.T) {
	var lives persona.Simulations
	for _, b := range []persona.Branch{branches[0], branches[9]} {
		unit := persona.Cents(1)
		if b.Currency == "SEK" {
			unit = 11
		}
		for _, date := range []string{"2024-03-31", "2025-07-12", "2026-11-20", "2031-05-05"} {
			now := today(t, date)
			anna := lives.Statements(persona.All()[0], b, now)
			assert.Greater(t, len(anna["current"].Booked), 800)
			assert.Greater(t, anna["current"].BookedBalance(), -40_000*unit, date)
			assert.Less(t, anna["current"].BookedBalance(), 500_000*unit, date)
			assert.Greater(t, anna["savings"].BookedBalance(), persona.Cents(0), date)
			assert.Less(t, anna["savings"].BookedBalance(), 2_600_000*unit, date)
			assert.LessOrEqual(t, anna["card"].BookedBalance(), 40_000*unit, date)

			student, _ := persona.Find("student")
			balance := lives.Statements(student, b, now)["current"].BookedBalance()
			assert.Greater(t, balance, -120_000*unit, date)
			assert.Less(t, balance, 200_000*unit, date)

			newcomer, _ := persona.Find("newcomer")
			assert.Empty(t, lives.Statements(newcomer, b, now)["current"].Booked)
		}
	}
}

func TestPersonasMatchTheirSummaries(t *testing.T) {
	now := today(t, "2026-11-20")
	overdrawn, rows := 0, 0
	student, _ := persona.Find("student")
	s := student.Statements(branches[0], now)["current"]
	balance := s.Account.Opening
	for _, e := range s.Booked {
		balance += e.Amount
		rows++
		if balance < 0 {
			overdrawn++
		}
	}
	assert.Greater(t, overdrawn, rows/10, "the student is often overdrawn")

	freelancer, _ := persona.Find("freelancer")
	accounts := freelancer.Accounts(branches[0])
	assert.Equal(t, accounts[0].IBAN, accounts[1].IBAN)
	assert.NotEqual(t, accounts[0].Currency, accounts[1].Currency)
	exchanged := 0
	for _, st := range freelancer.Statements(branches[0], now) {
		for _, e := range st.Booked {
			if e.Exchange != nil {
				exchanged++
			}
		}
	}
	assert.Greater(t, exchanged, 50)

	var lives persona.Simulations
	holds, twins := 0, 0
	for day := now; day > now-150 && (holds == 0 || twins == 0); day-- {
		st := lives.Statements(persona.All()[0], branches[0], day)["current"]
		for i, e := range st.Pending {
			if e.Vanishes != 0 {
				holds++
			}
			if i > 0 && e.Text == st.Pending[i-1].Text && e.Amount == st.Pending[i-1].Amount {
				twins++
			}
		}
	}
	assert.NotZero(t, holds, "some pending rows are never booked")
	assert.NotZero(t, twins, "some rows are identical")
}

func BenchmarkStatements(b *testing.B) {
	anna := persona.All()[0]
	day, _ := persona.ParseDay("2026-11-20")
	for b.Loop() {
		anna.Statements(branches[0], day)
	}
}

// A missing phrase would be an empty text on a statement.
func TestEveryLanguageHasEveryPhrase(t *testing.T) {
	file, err := os.ReadFile("data/phrasebooks.json")
	require.NoError(t, err)
	var books map[string]map[string]string
	require.NoError(t, json.Unmarshal(file, &books))
	want := slices.Sorted(maps.Keys(books["en"]))
	for language, book := range books {
		assert.Equal(t, want, slices.Sorted(maps.Keys(book)), language)
		for name, phrase := range book {
			assert.NotEmpty(t, phrase, "%s: %s", language, name)
		}
	}
}
