package enrich

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// EvaluationHeader is the first line of a labelled set. The last column is the
// top-level category that is expected.
const EvaluationHeader = "note,payee,amount,currencyCode,countryCode,mcc,bankTransactionCode,categoryId"

// Evaluation counts how the engine did on a labelled set.
type Evaluation struct {
	// Lines of the set, and those of them whose category is known.
	Lines, Placeable int
	// Placed of the placeable ones got a category at all; Given counts all
	// lines that got one and Right those that got the expected one.
	Placed, Given, Right int
	// Confusions counts the lines by expected and given category, the right ones
	// too.
	Confusions map[Confusion]int
}

// Confusion is an expected top-level category and the one that was given.
type Confusion struct{ Expected, Given int }

// unknownCategory is the top-level category of what could not be placed.
const unknownCategory = 610

// Coverage is the share of the lines with a known category that got one.
func (v Evaluation) Coverage() float64 { return share(v.Placed, v.Placeable) }

// Precision is the share of right categories among those given.
func (v Evaluation) Precision() float64 { return share(v.Right, v.Given) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Evaluate places every line of a labelled set.
func (e *Engine) Evaluate(set io.Reader) (Evaluation, error) {
	v := Evaluation{Confusions: map[Confusion]int{}}
	r := csv.NewReader(set)
	header, err := r.Read()
	if err != nil {
		return v, fmt.Errorf("read the set: %w", err)
	}
	if strings.Join(header, ",") != EvaluationHeader {
		return v, fmt.Errorf("read the set: want the header %s", EvaluationHeader)
	}
	for {
		c, err := r.Read()
		if errors.Is(err, io.EOF) {
			return v, nil
		}
		if err != nil {
			return v, fmt.Errorf("read the set: %w", err)
		}
		in, expected, err := labelled(c)
		if err != nil {
			line, _ := r.FieldPos(0)
			return v, fmt.Errorf("read the set: line %d: %w", line, err)
		}
		v.count(expected, e.Enrich(in).Category.ID)
	}
}

func labelled(c []string) (Input, int, error) {
	amount, err := money.Parse(c[2])
	if err != nil {
		return Input{}, 0, err
	}
	expected, err := strconv.Atoi(c[7])
	if err != nil || !slices.ContainsFunc(pfm.Taxonomy(), func(t pfm.TopCategory) bool { return t.ID == expected }) {
		return Input{}, 0, fmt.Errorf("%q is no top-level category", c[7])
	}
	return Input{Note: c[0], Counterparty: c[1], Amount: amount, CurrencyCode: c[3], CountryCode: c[4], MCC: c[5], BankTransactionCode: c[6]}, expected, nil
}

func (v *Evaluation) count(expected, given int) {
	v.Lines++
	v.Confusions[Confusion{expected, given}]++
	if expected != unknownCategory {
		v.Placeable++
		if given != unknownCategory {
			v.Placed++
		}
	}
	if given != unknownCategory {
		v.Given++
		if given == expected {
			v.Right++
		}
	}
}

// Print writes the figures: in all, per category, and what was taken for what.
func (v Evaluation) Print(w io.Writer) {
	fmt.Fprintf(w, "%d lines\ncoverage   %5.1f %%  (%d of %d with a known category)\nprecision  %5.1f %%  (%d of %d placed)\n\n",
		v.Lines, 100*v.Coverage(), v.Placed, v.Placeable, 100*v.Precision(), v.Right, v.Given)
	fmt.Fprintf(w, "%-20s %8s %9s %10s\n", "category", "expected", "coverage", "precision")
	for _, top := range pfm.Taxonomy() {
		expected, placed, given, right := 0, 0, 0, v.Confusions[Confusion{top.ID, top.ID}]
		for c, n := range v.Confusions {
			if c.Expected == top.ID {
				expected += n
				if c.Given != unknownCategory {
					placed += n
				}
			}
			if c.Given == top.ID {
				given += n
			}
		}
		fmt.Fprintf(w, "%-20s %8d %7.1f %% %8.1f %%\n", top.Name, expected, 100*share(placed, expected), 100*share(right, given))
	}
	fmt.Fprintf(w, "\n%-20s %-20s %5s\n", "expected", "given", "lines")
	for _, c := range v.wrong() {
		fmt.Fprintf(w, "%-20s %-20s %5d\n", topName(c.Expected), topName(c.Given), v.Confusions[c])
	}
}

// wrong are the confusions proper, the most frequent first.
func (v Evaluation) wrong() []Confusion {
	var out []Confusion
	for c := range v.Confusions {
		if c.Expected != c.Given {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Confusion) int {
		return cmp.Or(cmp.Compare(v.Confusions[b], v.Confusions[a]), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Given, b.Given))
	})
	return out
}

func topName(id int) string {
	c, _ := pfm.CategoryOf(id)
	return c.Name
}
