// Command eval measures how well transactions are categorised, with a set of labelled
// lines (make eval [FILE=path.csv]).
package main

import (
	"fmt"
	"os"

	"aviso/internal/pfm/enrich"
)

func main() {
	const own = "internal/pfm/enrich/testdata/"
	sets := []string{own + "evaluation.csv", own + "longtail.csv"}
	if len(os.Args) > 1 && os.Args[1] != "" {
		sets = os.Args[1:2]
	}
	for _, set := range sets {
		fmt.Printf("\n%s\n\n", set)
		if err := evaluate(set); err != nil {
			fmt.Fprintln(os.Stderr, "eval:", err)
			os.Exit(1)
		}
	}
}

func evaluate(set string) error {
	engine, err := enrich.New()
	if err != nil {
		return err
	}
	f, err := os.Open(set)
	if err != nil {
		return err
	}
	defer f.Close()
	result, err := engine.Evaluate(f)
	if err != nil {
		return err
	}
	result.Print(os.Stdout)
	return nil
}
