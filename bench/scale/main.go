// Command scale simulates the service on AWS at 10,000 to 10 million connected users, for a
// day with a morning peak, a partner with a large part of the load, a receiver that hangs and
// a bank that does not answer for an hour (make scale). It writes tables and plots to
// docs/scale.md, which explains the model, and fails if a bound breaks.
//
// The same seed gives the same day. Everything that the model is told is in inputs.go.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aviso/localstack/emulator"
)

func main() {
	seed := flag.Uint64("seed", 1, "another seed, another day")
	write := flag.Bool("write", true, "write tables, plots and what breaks to docs")
	flag.Parse()
	if err := run(*seed, *write); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(seed uint64, write bool) error {
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	checkout := filepath.Dir(folder)
	in, err := readInputs(checkout, seed)
	if err != nil {
		return err
	}
	var all []outcome
	var faults []string
	cases, err := sizes(checkout)
	if err != nil {
		return err
	}
	for _, s := range cases {
		began := time.Now()
		o, err := simulate(checkout, in, s)
		if err != nil {
			return err
		}
		all = append(all, o)
		faults = append(faults, o.quiet.broken(s)...)
		faults = append(faults, o.trying.broken(s)...)
		fmt.Printf("%s users: three days in %.1f s\n", s.name, time.Since(began).Seconds())
	}
	faults = append(faults, all[len(all)-1].trying.short()...)
	fmt.Println("\n" + resultTable(all))
	if write {
		breaks, err := whatIf(checkout, in, cases[len(cases)-1], all[len(all)-1].fresh.tables)
		if err != nil {
			return err
		}
		if err := report(checkout, in, all, breaks); err != nil {
			return err
		}
	}
	for _, f := range faults {
		fmt.Println("BROKEN:", f)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d bounds are broken", len(faults))
	}
	return nil
}

// simulate runs the first day of new tables, then a day on which everybody answers, and
// then the day with all troubles. Tables keep what they have grown to; backlogs end with
// the day.
func simulate(checkout string, in *inputs, s size) (outcome, error) {
	d, err := readDeployed(checkout, s)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{size: s, d: d}
	o.fresh = newDay(in, s, d, nil).run()
	o.quiet = newDay(in.quiet(), s, d, o.fresh.tables()).run()
	o.trying = newDay(in, s, d, o.fresh.tables()).run()
	return o, nil
}
