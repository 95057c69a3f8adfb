// Command chaos runs a local stack of its own, lets partners and users work with it, and
// breaks everything that can break meanwhile (make chaos). In the end it judges what they
// saw: nothing may be lost, doubled or leaked. docs/development.md explains how to read
// what it prints.
//
// MINUTES (2) is how long things break, SEED the number that all random choices follow
// from. The order of things that happen at the same time is the machine's.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"aviso/localstack/chaos/history"
	"aviso/localstack/emulator"
)

func main() {
	findings, err := chaos()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || findings > 0 {
		os.Exit(1)
	}
}

func chaos() (findings int, err error) {
	r, err := plan()
	if err != nil {
		return 0, err
	}
	fmt.Printf("seed %d, %s of faults; everything is kept in %s\n", r.seed, r.duration, r.folder)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	records, err := os.Create(filepath.Join(r.folder, "history.jsonl"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = records.Close() }()
	r.book = history.NewBook(records)
	defer r.stop()
	found, err := r.all(ctx)
	if err != nil {
		return 0, err
	}
	r.report(os.Stdout, found)
	if len(found) == 0 {
		r.stop()
		return 0, os.RemoveAll(r.folder)
	}
	return len(found), nil
}

// plan reads the environment.
func plan() (*run, error) {
	minutes, err := strconv.ParseFloat(cmp.Or(os.Getenv("MINUTES"), "2"), 64)
	if err != nil || minutes <= 0 {
		return nil, fmt.Errorf("MINUTES is %q; want a number", os.Getenv("MINUTES"))
	}
	seed := uint64(rand.Uint32()) // #nosec G404 -- any will do
	if given := os.Getenv("SEED"); given != "" {
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			return nil, fmt.Errorf("SEED is %q; want a number", given)
		}
	}
	folder, err := emulator.Folder()
	if err != nil {
		return nil, err
	}
	kept, err := os.MkdirTemp("", "aviso-chaos-")
	if err != nil {
		return nil, err
	}
	return &run{
		seed: seed, duration: time.Duration(minutes * float64(time.Minute)), folder: kept, checkout: filepath.Dir(folder),
		begun: time.Now(), faults: newTally(), counts: newTally(),
		transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}, nil
}

// all is the whole run.
func (r *run) all(ctx context.Context) ([]history.Finding, error) {
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	fmt.Println("The stack runs. Breaking it …")
	if err := r.storm(ctx); err != nil {
		return nil, err
	}
	fmt.Println("The faults have stopped. Waiting until all has settled …")
	found, err := r.settle(ctx)
	if err != nil {
		return nil, err
	}
	for _, text := range append(r.service.deaths(), r.failures.all...) {
		found = append(found, history.Finding{Rule: "the stack keeps running", Text: text})
	}
	return found, nil
}

// quiet is a log for servers whose connections are cut on purpose.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
