package fulltext_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"aviso/internal/cancellation/catalogue"
)

// misspell makes one typo in a random word of at least four letters. It reports whether
// there is such a word.
func misspell(r *rand.Rand, text string) (string, bool) {
	parts := strings.Split(text, " ")
	var long []int
	for i, p := range parts {
		if len([]rune(p)) >= 4 && !strings.ContainsAny(p, ".-&()/") {
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

// query is a search text and the name of the organization it should find.
type query struct{ Text, Wanted string }

// misspellings returns n queries with one typo each. Half of them are full names, the others
// only the part that few organizations share.
func misspellings(r *rand.Rand, made []organizationName, n int) []query {
	sharing := map[string]int{}
	for _, m := range made {
		sharing[m.Distinctive]++
	}
	var queries []query
	for len(queries) < n {
		m := made[r.IntN(len(made))]
		text := m.Full
		if len(queries)%2 == 1 {
			if text = m.Distinctive; sharing[text] > 5 {
				continue
			}
		}
		if typed, ok := misspell(r, text); ok {
			queries = append(queries, query{typed, m.Full})
		}
	}
	return queries
}

// halfTyped returns the queries half typed: each is cut off at a random position.
func halfTyped(r *rand.Rand, queries []query) []string {
	typed := make([]string, len(queries))
	for i, q := range queries {
		letters := []rune(q.Text)
		typed[i] = string(letters[:1+r.IntN(len(letters))])
	}
	return typed
}

// commonQueries returns queries that match much of the catalogue: words that many names share,
// and prefixes of one to four letters of the trades and products of each language. One ends within
// a letter.
func commonQueries() []string {
	return append([]string{"Stadtwerke", "Energie", "a", "s", "de", "e", "Bank", "Energie de S.A."},
		strings.Fields("S Sta Mitg E Ene Memb A Ass Adh\xc3 S Seg Cuot A Ass Quot E Ene Lidm U Ube Czł E Ene Medl E Ene Medl E Ene Čle")...)
}

// missedBy returns the queries whose wanted organization is not among the first ten hits.
func missedBy(x catalogue.SearchIndex, queries []query) ([]query, error) {
	var missed []query
	for _, q := range queries {
		page, err := x.Search(q.Text, catalogue.SearchFilter{}, 10, "")
		if err != nil {
			return nil, err
		}
		isWanted := func(d catalogue.SearchDocument) bool { return d.Name == q.Wanted }
		if !slices.ContainsFunc(page.Organizations, isWanted) {
			missed = append(missed, q)
		}
	}
	return missed, nil
}
