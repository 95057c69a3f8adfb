package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

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

// holdOne fails if a figure is over its budget.
func holdOne(of, what, figure string) error {
	value, err := strconv.ParseFloat(figure, 64)
	if err != nil {
		return err
	}
	list, err := budget.Own()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(b budget.Budget) bool { return b.Of == of && b.What == what })
	if i < 0 {
		return fmt.Errorf("%s, %s: no such budget", of, what)
	}
	return list[i].Check(value)
}
