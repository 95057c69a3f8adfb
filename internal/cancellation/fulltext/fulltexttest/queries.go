package fulltexttest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"aviso/internal/cancellation"
)

// misspell makes one typo in a word of four letters and more, chosen at random;
// false where there is none.
func misspell(r *rand.Rand, text string) (string, bool) {
	parts := strings.Split(text, " ")
	var long []int
	for i, p := range parts {
		if len([]rune(p)) >= 4 && !strings.ContainsFunc(p, func(c rune) bool { return strings.ContainsRune(".-&()/", c) }) {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return text, false
	}
	at := long[r.IntN(len(long))]
	w := []rune(parts[at])
	i := r.IntN(len(w))
	letter := rune('a' + r.IntN(26))
	switch r.IntN(4) {
	case 0:
		w = slices.Insert(w, i, letter)
	case 1:
		w = slices.Delete(w, i, i+1)
	case 2:
		w[i] = letter
	default:
		i = min(i, len(w)-2)
		w[i], w[i+1] = w[i+1], w[i]
	}
	parts[at] = string(w)
	return strings.Join(parts, " "), true
}

// Query is a query, and the name of the organization that is wanted.
type Query struct{ Text, Wanted string }

// Misspelt makes n queries with one typo each: for one half the full name, for the other only what
// sets the organization apart from all but a few.
func Misspelt(r *rand.Rand, made []Name, n int) []Query {
	sharing := map[string]int{}
	for _, m := range made {
		sharing[m.Distinctive]++
	}
	var queries []Query
	for len(queries) < n {
		m := made[r.IntN(len(made))]
		text := m.Full
		if len(queries)%2 == 1 {
			if text = m.Distinctive; sharing[text] > 5 {
				continue
			}
		}
		if typed, ok := misspell(r, text); ok {
			queries = append(queries, Query{typed, m.Full})
		}
	}
	return queries
}

// Typing are the queries as far as somebody has typed them, each cut off at
// random.
func Typing(r *rand.Rand, queries []Query) []string {
	typed := make([]string, len(queries))
	for i, q := range queries {
		letters := []rune(q.Text)
		typed[i] = string(letters[:1+r.IntN(len(letters))])
	}
	return typed
}

// Common are queries that match much of the catalogue: words that many names
// have, and beginnings of one letter to four.
func Common() []string {
	queries := []string{"Stadtwerke", "Energie", "a", "s", "de", "e", "Bank", "Energie de S.A."}
	for _, l := range languages() {
		queries = append(queries, l.trades[:1], l.trades[:3], l.products[:4])
	}
	return queries
}

// Missed are the queries for which the index has the wanted name not among its
// first ten organizations.
func Missed(x cancellation.SearchIndex, queries []Query) ([]Query, error) {
	var missed []Query
	for _, q := range queries {
		page, err := x.Search(q.Text, cancellation.SearchFilter{}, 10, "")
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(page.Organizations, func(d cancellation.SearchDocument) bool { return d.Name == q.Wanted }) {
			missed = append(missed, q)
		}
	}
	return missed, nil
}
