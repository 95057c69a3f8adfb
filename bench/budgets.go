package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// budget is a limit for a figure. Counts and sizes have no slack. Times and instructions
// have some, because they vary.
type budget struct {
	Of      string  `json:"of"`
	What    string  `json:"what"`
	AtMost  float64 `json:"atMost"`
	Slack   float64 `json:"slack,omitempty"` // 0.05 is 5 %
	Because string  `json:"because"`
}

func readBudgets(checkout string) ([]budget, error) {
	raw, err := os.ReadFile(filepath.Join(checkout, "bench", "budgets.json"))
	if err != nil {
		return nil, fmt.Errorf("read the budgets: %w", err)
	}
	return parseBudgets(raw)
}

func parseBudgets(raw []byte) ([]budget, error) {
	var list []budget
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

// hold fails if a figure is over its budget, or was not measured.
func hold(list []budget, f *figures) error {
	var faults []error
	for _, b := range list {
		value, ok := f.get(b.Of, b.What)
		switch {
		case !ok:
			faults = append(faults, fmt.Errorf("%s, %s: a budget without such a figure", b.Of, b.What))
		case value > b.AtMost*(1+b.Slack):
			faults = append(faults, fmt.Errorf("%s, %s: %.4g, at most %.4g (plus %.0f %%): %s",
				b.Of, b.What, value, b.AtMost, b.Slack*100, b.Because))
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("over budget:\n%w", errors.Join(faults...))
	}
	fmt.Printf("All %d budgets are met.\n", len(list))
	return nil
}
