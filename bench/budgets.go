package main

import (
	"errors"
	"fmt"

	"aviso/bench/budget"
)

// hold fails if a figure is over its budget, or was not measured. Tests hold the others.
func hold(list []budget.Budget, f *figures) error {
	var faults []error
	held := 0
	for _, b := range list {
		if b.Test != "" {
			continue
		}
		held++
		if value, ok := f.get(b.Of, b.What); !ok {
			faults = append(faults, fmt.Errorf("%s, %s: a budget without such a figure", b.Of, b.What))
		} else if err := b.Check(value); err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("over budget:\n%w", errors.Join(faults...))
	}
	fmt.Printf("All %d budgets are met.\n", held)
	return nil
}
