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
// expected top-level category.
const EvaluationHeader = "note,payee,amount,currencyCode,countryCode,mcc,bankTransactionCode,categoryId"

// Evaluation counts how the engine did on a labelled set.
type Evaluation struct {
	// Lines counts the lines of the set, Known those with a known category.
	Lines, Known int
	// Covered counts the known lines that got a category. Assigned counts all lines
	// that got one, and Correct those that got the expected one.
	Covered, Assigned, Correct int
	// Confusions counts the lines by expected and assigned category, including the
	// correct ones.
	Confusions map[Confusion]int
	// byConfidence counts the lines with a category by its confidence.
	byConfidence [101]answers
}

// answers counts lines with a category, those that have one indeed, and those that got
// it.
type answers struct{ assigned, covered, correct int }

// Confusion is an expected top-level category and the one that was assigned.
type Confusion struct{ Expected, Assigned int }

// unknownCategory is the top-level category of lines that could not be categorised.
const unknownCategory = 610

// Coverage is the share of the lines with a known category that got one.
func (v Evaluation) Coverage() float64 { return share(v.Covered, v.Known) }

// Precision is the share of correct categories among those assigned.
func (v Evaluation) Precision() float64 { return share(v.Correct, v.Assigned) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Evaluate categorises every line of a labelled set.
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
		out := e.Enrich(in)
		v.count(expected, out.Category.ID, out.Confidence)
	}
}

func labelled(c []string) (Input, int, error) {
	amount, err := money.Parse(c[2])
	if err != nil {
		return Input{}, 0, err
	}
	expected, err := strconv.Atoi(c[7])
	if err != nil || !slices.ContainsFunc(pfm.Taxonomy(), func(t pfm.TopCategory) bool { return t.ID == expected }) {
		return Input{}, 0, fmt.Errorf("%q is not a top-level category", c[7])
	}
	return Input{
		Note: c[0], Counterparty: c[1], Amount: amount, CurrencyCode: c[3], CountryCode: c[4], MCC: c[5],
		BankTransactionCode: c[6],
	}, expected, nil
}

func (v *Evaluation) count(expected, assigned int, confidence uint8) {
	v.Lines++
	v.Confusions[Confusion{expected, assigned}]++
	if expected != unknownCategory {
		v.Known++
		if assigned != unknownCategory {
			v.Covered++
		}
	}
	if assigned != unknownCategory {
		v.Assigned++
		at := &v.byConfidence[confidence]
		at.assigned++
		at.covered += boolInt(expected != unknownCategory)
		if assigned == expected {
			v.Correct++
			at.correct++
		}
	}
}

// printCurve writes coverage and precision with every threshold that makes a difference.
func (v *Evaluation) printCurve(w io.Writer) {
	fmt.Fprintf(w, "\n%-20s %8s %10s %6s\n", "confidence at least", "coverage", "precision", "wrong")
	var sum answers
	for confidence := len(v.byConfidence) - 1; confidence >= 0; confidence-- {
		at := v.byConfidence[confidence]
		if at.assigned == 0 {
			continue
		}
		sum = answers{sum.assigned + at.assigned, sum.covered + at.covered, sum.correct + at.correct}
		fmt.Fprintf(w, "%-20d %6.1f %% %8.1f %% %2d of %d\n", confidence, 100*share(sum.covered, v.Known),
			100*share(sum.correct, sum.assigned), at.assigned-at.correct, at.assigned)
	}
}

// Print writes the totals, the figures per category, and the confusions.
func (v Evaluation) Print(w io.Writer) {
	fmt.Fprintf(w, "%d lines\n", v.Lines)
	fmt.Fprintf(w, "coverage   %5.1f %%  (%d of %d with a known category)\n", 100*v.Coverage(), v.Covered, v.Known)
	fmt.Fprintf(w, "precision  %5.1f %%  (%d of %d with an assigned category)\n\n",
		100*v.Precision(), v.Correct, v.Assigned)
	fmt.Fprintf(w, "%-20s %8s %9s %10s\n", "category", "expected", "coverage", "precision")
	for _, top := range pfm.Taxonomy() {
		expected, covered, assigned, correct := 0, 0, 0, v.Confusions[Confusion{top.ID, top.ID}]
		for c, n := range v.Confusions {
			if c.Expected == top.ID {
				expected += n
				if c.Assigned != unknownCategory {
					covered += n
				}
			}
			if c.Assigned == top.ID {
				assigned += n
			}
		}
		fmt.Fprintf(w, "%-20s %8d %7.1f %% %8.1f %%\n", top.Name, expected,
			100*share(covered, expected), 100*share(correct, assigned))
	}
	v.printCurve(w)
	fmt.Fprintf(w, "\n%-20s %-20s %5s\n", "expected", "assigned", "lines")
	for _, c := range v.wrong() {
		fmt.Fprintf(w, "%-20s %-20s %5d\n", topName(c.Expected), topName(c.Assigned), v.Confusions[c])
	}
}

// wrong returns the confusions without the correct lines, the most frequent first.
func (v Evaluation) wrong() []Confusion {
	var out []Confusion
	for c := range v.Confusions {
		if c.Expected != c.Assigned {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Confusion) int {
		return cmp.Or(cmp.Compare(v.Confusions[b], v.Confusions[a]),
			cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Assigned, b.Assigned))
	})
	return out
}

func topName(id int) string {
	c, _ := pfm.CategoryOf(id)
	return c.Name
}
