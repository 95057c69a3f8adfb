// Package footprint is what the programs below it have in common. Each holds one
// index of the catalogue, or none, and says what that takes.
package footprint

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// Print is what a program takes. All but Build is in bytes.
type Print struct {
	// Build is how long it took to make the index.
	Build time.Duration
	// Heap is what the index holds of Go's heap; Resident what the process holds
	// of the memory with the index, after some queries and when all garbage is
	// gone. Peak is the most that it held while the index was made.
	Heap, Resident, Peak int
	// Program is the size of the file.
	Program int `json:"-"`
}

// Build makes an index of documents.
type Build func(context.Context, []cancellation.SearchDocument) (cancellation.SearchIndex, error)

// Run makes the catalogue and then the index, and writes the Print.
func Run(build Build) {
	if err := run(context.Background(), build); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, build Build) error {
	p, index, queries, err := built(ctx, build)
	if err != nil {
		return err
	}
	for _, q := range queries {
		if _, err := index.Search(q.Text, cancellation.SearchFilter{}, 50, ""); err != nil {
			return err
		}
	}
	debug.FreeOSMemory() // the documents, too: nobody but the index could hold them
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	p.Heap = int(stats.HeapAlloc)
	if p.Resident, err = memory("VmRSS"); err != nil {
		return err
	}
	runtime.KeepAlive(index)
	return json.NewEncoder(os.Stdout).Encode(p)
}

// built makes the index, and what to ask it for.
func built(ctx context.Context, build Build) (Print, cancellation.SearchIndex, []fulltexttest.Query, error) {
	r := fulltexttest.Seeded(1)
	documents, made := fulltexttest.Catalogue(r, 50_000)
	queries := fulltexttest.Misspelt(r, made, 200)
	debug.FreeOSMemory()
	// Forgets the peak so far (proc(5), /proc/pid/clear_refs).
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return Print{}, nil, nil, err
	}
	start := time.Now()
	index, err := build(ctx, documents)
	if err != nil {
		return Print{}, nil, nil, err
	}
	p := Print{Build: time.Since(start)}
	p.Peak, err = memory("VmHWM")
	return p, index, queries, err
}

// memory is a line of /proc/self/status, in bytes.
func memory(name string) (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "\n"+name+":")
	kilobytes, _, _ := strings.Cut(rest, " kB")
	n, err := strconv.Atoi(strings.TrimSpace(kilobytes))
	return n * 1024, err
}
