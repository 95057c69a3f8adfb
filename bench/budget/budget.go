// Package budget reads bench/budgets.json: what figures may be at most, and why. bench check
// measures most of them, and tests the others.
package budget

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aviso/localstack/stack/emulator"
)

// Budget is a limit for a figure. Counts and sizes have no slack. Times have some, because they vary.
type Budget struct {
	Of     string  `json:"of"`
	What   string  `json:"what"`
	AtMost float64 `json:"atMost"`
	Slack  float64 `json:"slack,omitempty"` // 0.05 is 5 %
	// Test is the test, or .ci/run, that holds the budget. It is empty if bench check does.
	Test    string `json:"test,omitempty"`
	Because string `json:"because"`
}

// Check returns an error if a figure is over its budget.
func (b Budget) Check(figure float64) error {
	if figure <= b.AtMost*(1+b.Slack) {
		return nil
	}
	return fmt.Errorf("%s, %s: %.4g, at most %.4g (plus %.0f %%): %s", b.Of, b.What, figure, b.AtMost, b.Slack*100, b.Because)
}

// Own reads the budgets of the checkout that the program runs in.
func Own() ([]Budget, error) {
	folder, err := emulator.Folder()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "bench", "budgets.json"))
	if err != nil {
		return nil, fmt.Errorf("read the budgets: %w", err)
	}
	return parse(raw)
}

func parse(raw []byte) ([]Budget, error) {
	var list []Budget
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read the budgets: %w", err)
	}
	for _, b := range list {
		if b.Because == "" {
			return nil, fmt.Errorf("the budget of %s, %s has no reason", b.Of, b.What)
		}
	}
	return list, nil
}

// Check returns an error for each budget of a test that is exceeded or has no figure. Figures are
// by what they are of and what they are, with a comma between them.
func Check(list []Budget, test string, figures map[string]float64) (faults []error) {
	for _, b := range list {
		if b.Test != test {
			continue
		}
		if figure, ok := figures[b.Of+", "+b.What]; !ok {
			faults = append(faults, fmt.Errorf("%s, %s: a budget without such a figure", b.Of, b.What))
		} else if err := b.Check(figure); err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// Hold fails a test if one of its figures is over its budget, or has none, or if a budget of
// the test has no figure.
func Hold(t testing.TB, figures map[string]float64) {
	t.Helper()
	list, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range Check(list, t.Name(), figures) {
		t.Error(fault)
	}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if !slices.ContainsFunc(list, func(b Budget) bool { return b.Test == t.Name() && b.Of+", "+b.What == name }) {
			t.Errorf("%s: a figure without a budget", name)
		}
	}
}
