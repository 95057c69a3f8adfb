package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"aviso/bench/search/footprint"
	"aviso/bench/search/fts5"
)

// runs is how often each program is run. What counts is the median.
const runs = 5

// footprints are those of the program without an index and of the ones with.
func footprints(ctx context.Context) ([]footprint.Print, error) {
	programs := []struct{ folder, argument string }{{"none", ""}, {"fulltext", ""}, {"fts5", string(fts5.Ranked)}, {"fts5", string(fts5.ByRow)}}
	folder, err := os.MkdirTemp("", "bench-search-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	sizes := make([]int, len(programs))
	for i, p := range programs {
		file := filepath.Join(folder, p.folder)
		// As functions are built: see the Makefile's build-%.
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "./footprint/"+p.folder)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if _, err := output(cmd); err != nil {
			return nil, err
		}
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		sizes[i] = int(info.Size())
	}
	seen := make([][]footprint.Print, len(programs))
	for range runs {
		for i, p := range programs {
			cmd := exec.CommandContext(ctx, filepath.Join(folder, p.folder), p.argument)
			cmd.Env = append(os.Environ(), "GOMEMLIMIT=64MiB") // as template.yaml sets it
			out, err := output(cmd)
			if err != nil {
				return nil, err
			}
			var taken footprint.Print
			if err := json.Unmarshal(out, &taken); err != nil {
				return nil, fmt.Errorf("read %s: %w", p.folder, err)
			}
			seen[i] = append(seen[i], taken)
		}
	}
	medians := make([]footprint.Print, len(programs))
	for i, prints := range seen {
		medians[i] = footprint.Print{
			Build:    median(prints, func(p footprint.Print) int64 { return int64(p.Build) }).Build,
			Heap:     median(prints, func(p footprint.Print) int64 { return int64(p.Heap) }).Heap,
			Resident: median(prints, func(p footprint.Print) int64 { return int64(p.Resident) }).Resident,
			Peak:     median(prints, func(p footprint.Print) int64 { return int64(p.Peak) }).Peak,
			Program:  sizes[i],
		}
	}
	return medians, nil
}

// median is the print in the middle by one of its figures.
func median(prints []footprint.Print, figure func(footprint.Print) int64) footprint.Print {
	slices.SortFunc(prints, func(a, b footprint.Print) int { return cmp.Compare(figure(a), figure(b)) })
	return prints[len(prints)/2]
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return out, nil
}
