package persona_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/persona"
)

// TestAMonthIsBelievable reads five years of each household as its owner would.
func TestAMonthIsBelievable(t *testing.T) {
	for _, b := range []persona.Branch{branches[0], branches[2], branches[9]} {
		for _, p := range persona.All()[:4] {
			t.Run(b.Country+" "+p.ID, func(t *testing.T) {
				t.Parallel()
				h := household{t, b, p, p.Statements(b, today(t, "2026-11-20"))}
				h.rowsDiffer()
				h.balances()
				h.days()
				h.places()
				h.cash()
			})
		}
	}
}

type household struct {
	*testing.T
	branch     persona.Branch
	who        persona.Persona
	statements map[string]persona.Statement
}

// rowsDiffer checks that hardly any rows are the same to the minute: some are, on purpose.
func (h household) rowsDiffer() {
	seen := map[string]int{}
	rows, twins := 0, 0
	for key, s := range h.statements {
		for _, e := range s.Booked {
			rows++
			seen[fmt.Sprint(key, e.Entered, e.Amount, e.Text, e.Reference)]++
			assert.NotContains(h, e.Text, "DEBITK.")
		}
	}
	for _, n := range seen {
		twins += n - 1
	}
	assert.Less(h, twins*100, rows, "%d of %d rows are twins", twins, rows)
}

// balances checks that only the student lives on an overdraft, and within its limit.
func (h household) balances() {
	for key, s := range h.statements {
		if s.Account.Kind == persona.Card {
			continue
		}
		balance, byDay := s.Account.Opening, map[persona.Day]persona.Cents{}
		for _, e := range s.Booked {
			balance += e.Amount
			byDay[e.Booked] = balance
		}
		days, negative := 0, 0
		for day, last := persona.Epoch, s.Account.Opening; day <= today(h.T, "2026-11-20"); day++ {
			if b, ok := byDay[day]; ok {
				last = b
			}
			if days++; last < 0 {
				negative++
			}
		}
		assert.LessOrEqual(h, negative*100, days*map[bool]int{true: 60, false: 8}[h.who.ID == "student"],
			"%s is below zero on %d of %d days", key, negative, days)
	}
}

// days checks that banks book on business days, that money comes in time, and that shops
// keep their hours.
func (h household) days() {
	quarters := map[string]int{}
	for _, s := range h.statements {
		for _, e := range s.Booked {
			booked, entered := e.Booked.Time(), e.Entered.Time()
			assert.NotContains(h, []time.Weekday{time.Saturday, time.Sunday}, booked.Weekday(), e.Text)
			assert.NotContains(h, []string{"01-01", "05-01", "12-25", "12-26"}, booked.Format("01-02"), e.Text)
			assert.NotContains(h, []string{"2024-03-29", "2024-04-01", "2025-04-18", "2025-04-21"}, e.Booked.String(), e.Text)
			if e.Purpose == "SALA" {
				payday := map[string]int{"anna": 27, "family": 25, "student": 15}[h.who.ID]
				assert.LessOrEqual(h, booked.Day(), payday, "paid late")
				assert.Greater(h, booked.Day(), payday-6, "paid early")
			}
			if slices.Contains([]string{"5411", "5651", "5732"}, e.MCC) && e.Exchange == nil && h.branch.Language == "de" {
				assert.NotEqual(h, time.Sunday, entered.Weekday(), e.Text)
			}
			if e.Code == "ACMT-MCOP-INTR" {
				quarters[entered.Format("2006")]++
			}
		}
	}
	for year := range 4 {
		if _, saves := h.statements["savings"]; saves {
			assert.Equal(h, 4, quarters[fmt.Sprint(2022+year)], "interest is paid each quarter")
		}
	}
}

// places checks that people are in one town a day.
func (h household) places() {
	file, err := os.ReadFile("data/places.json")
	require.NoError(h, err)
	var places map[string]struct{ Cities []string }
	require.NoError(h, json.Unmarshal(file, &places))
	// Fuel is booked later than it was bought.
	online := []string{"5542", "4899", "5815", "5734", "5816", "5311", "5968"}
	visited := map[persona.Day]map[string]bool{}
	for _, s := range h.statements {
		for _, e := range s.Booked {
			if e.MCC == "" || slices.Contains(online, e.MCC) || strings.Contains(e.Text, "GABELFLITZ") {
				continue
			}
			for _, city := range places[h.branch.Country].Cities {
				if strings.Contains(e.Text, city) {
					if visited[e.Entered] == nil {
						visited[e.Entered] = map[string]bool{}
					}
					visited[e.Entered][city] = true
				}
			}
		}
	}
	for day, cities := range visited {
		assert.Len(h, cities, 1, "%s: %v", day, slices.Sorted(maps.Keys(cities)))
	}
}

// cash checks that machines pay in notes.
func (h household) cash() {
	note := map[string]persona.Cents{"EUR": 1_000, "SEK": 10_000}[h.branch.Currency]
	for _, s := range h.statements {
		for _, e := range s.Booked {
			if e.MCC == "6011" {
				assert.Zero(h, e.Amount%note, e.Amount)
			}
		}
	}
}

// TestNothingIsFromLaterToday reads an account in the morning.
func TestNothingIsFromLaterToday(t *testing.T) {
	var lives persona.Simulations
	hidden := 0
	for day := today(t, "2026-10-01"); day < today(t, "2026-11-01"); day++ {
		for _, s := range lives.Statements(persona.All()[0], branches[0], day) {
			at := s.At(day, 9*60)
			hidden += len(s.Pending) - len(at.Pending)
			assert.Equal(t, s.Booked, at.Booked)
			for _, e := range at.Pending {
				if _, clock, found := strings.Cut(e.Text, e.Entered.Time().Format("02.01. ")); found && e.Entered == day {
					assert.Less(t, clock[:5], "09:01", e.Text)
				}
			}
			assert.Equal(t, s, s.At(day+1, 0))
		}
	}
	assert.NotZero(t, hidden)
}
