package emulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Folder finds localstack/ in the checkout, from the working directory upwards.
func Folder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the checkout: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "localstack"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the checkout: no go.mod here or above; run this inside the checkout")
		}
		dir = parent
	}
}

// install sees to it that the emulators are there, and gives their folder. Test
// binaries run side by side, so a file lock lets one of them do it.
func install(ctx context.Context, o Options) (string, error) {
	dir, err := Folder()
	if err != nil {
		return "", err
	}
	if installed(dir) {
		return dir, nil
	}
	unlock, err := lock(ctx, filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", fmt.Errorf("install the emulators: %w", err)
	}
	defer unlock()
	if installed(dir) {
		return dir, nil
	}
	if o.Progress != nil {
		o.Progress("installing the emulators into localstack/node_modules (npm ci, this once)")
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = dir
	if output, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install the emulators: npm ci in %s: %w\n%s", dir, err, bytes.TrimSpace(output))
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", fmt.Errorf("install the emulators: %w", err)
	}
	if err := os.WriteFile(marker(dir), manifest, 0o644); err != nil {
		return "", fmt.Errorf("install the emulators: %w", err)
	}
	return dir, nil
}

// installed tells whether a complete installation of what package-lock.json
// names is there: npm ci that was interrupted, or another version, is not.
func installed(dir string) bool {
	want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return false
	}
	got, err := os.ReadFile(marker(dir))
	return !errors.Is(err, fs.ErrNotExist) && bytes.Equal(want, got)
}

func marker(dir string) string { return filepath.Join(dir, "node_modules", ".installed-lock.json") }
