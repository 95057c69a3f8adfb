package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"aviso/bench/search/footprint"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// table is what was measured: a row each, with a cell for each index.
type table struct{ rows [][]string }

func newTable() *table {
	return &table{rows: [][]string{{"", "fulltext", "FTS5 by bm25", "FTS5 by row", "target"}}}
}

func (t *table) add(name, target string, cells ...string) {
	t.rows = append(t.rows, append(append([]string{name}, cells...), target))
}

func (t *table) addTimes(name string, times [][]time.Duration) {
	for _, p := range []struct {
		percent int
		target  string
	}{{50, ""}, {99, "≤ 5 ms"}} {
		var cells []string
		for _, of := range times {
			cells = append(cells, fmt.Sprintf("%.2f ms", float64(percentile(of, p.percent).Microseconds())/1000))
		}
		t.add(fmt.Sprintf("%s, p%d", name, p.percent), p.target, cells...)
	}
}

// addFound adds how many of the queries find what is wanted.
func (t *table) addFound(indexes []cancellation.SearchIndex, queries []fulltexttest.Query) error {
	var among, first []string
	for _, x := range indexes {
		missed, err := fulltexttest.Missed(x, queries)
		if err != nil {
			return err
		}
		atTop := 0
		for _, q := range queries {
			page, err := x.Search(q.Text, cancellation.SearchFilter{}, 1, "")
			if err != nil {
				return err
			}
			if slices.ContainsFunc(page.Organizations, func(d cancellation.SearchDocument) bool { return d.Name == q.Wanted }) {
				atTop++
			}
		}
		among, first = append(among, fmt.Sprint(len(queries)-len(missed))), append(first, fmt.Sprint(atTop))
	}
	of := fmt.Sprintf("of %d names with a typo, ", len(queries))
	t.add(of+"found among the first ten", fmt.Sprintf("≥ %d", len(queries)*97/100), among...)
	t.add(of+"found first", "", first...)
	return nil
}

// addFootprints adds what each program takes beyond the one without an index,
// which is the first.
func (t *table) addFootprints(prints []footprint.Print) {
	none, rest := prints[0], prints[1:]
	row := func(name string, cell func(footprint.Print) string) {
		var cells []string
		for _, p := range rest {
			cells = append(cells, cell(p))
		}
		t.add(name, "", cells...)
	}
	mb := func(bytes int) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
	row("to build the index", func(p footprint.Print) string { return fmt.Sprintf("%.2f s", p.Build.Seconds()) })
	row("Go heap", func(p footprint.Print) string { return mb(p.Heap - none.Heap) })
	row("resident, with what is not in the heap", func(p footprint.Print) string { return mb(p.Resident - none.Resident) })
	row("resident at most, while it is built", func(p footprint.Print) string { return mb(p.Peak - none.Peak) })
	row("program, stripped", func(p footprint.Print) string { return mb(p.Program - none.Program) })
}

func (t *table) print(w io.Writer) error {
	aligned := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range t.rows {
		for _, cell := range row {
			fmt.Fprint(aligned, cell, "\t")
		}
		fmt.Fprintln(aligned)
	}
	return aligned.Flush()
}
