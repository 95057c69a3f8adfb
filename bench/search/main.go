package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"

	"aviso/bench/search/fts5"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// organizations is how many the catalogue has.
const organizations = 50_000

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := fulltexttest.Seeded(1)
	documents, made := fulltexttest.Catalogue(r, organizations)
	kinds := kindsOfQuery(r, documents, made)
	fmt.Printf("%s, %s/%s, %d cores; %d organizations and %d products\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), organizations, len(documents)-organizations)

	// Before there is an index in this process: nothing competes with them.
	prints, err := footprints(ctx)
	if err != nil {
		return err
	}
	indexes, err := build(ctx, documents)
	if err != nil {
		return err
	}
	t := newTable()
	for _, k := range kinds {
		times, err := interleaved(indexes, k.queries)
		if err != nil {
			return err
		}
		t.addTimes(k.name, times)
	}
	if err := t.addFound(indexes, fulltexttest.Misspelt(fulltexttest.Seeded(2), made, 1000)); err != nil {
		return err
	}
	t.addFootprints(prints)
	return t.print(os.Stdout)
}

// build makes the indexes, in the order of the table.
func build(ctx context.Context, documents []cancellation.SearchDocument) ([]cancellation.SearchIndex, error) {
	ranked, err := fts5.New(ctx, documents, fts5.Ranked)
	if err != nil {
		return nil, err
	}
	byRow, err := fts5.New(ctx, documents, fts5.ByRow)
	if err != nil {
		return nil, err
	}
	return []cancellation.SearchIndex{fulltext.New(documents), ranked, byRow}, nil
}
