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

// Folder returns localstack/ of the checkout that contains the working directory.
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
			return "", errors.New("find the checkout: no go.mod in this folder or above; run this inside the checkout")
		}
		dir = parent
	}
}

// install installs the emulators if needed and returns their folder. Test binaries run
// in parallel, so a file lock lets one of them do it.
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
		o.Progress("Installing the emulators into localstack/node_modules (npm ci, only this once) …")
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

// installed reports whether everything in package-lock.json is installed. It reports
// false after an interrupted npm ci, and for other versions.
func installed(dir string) bool {
	want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return false
	}
	got, err := os.ReadFile(marker(dir))
	return !errors.Is(err, fs.ErrNotExist) && bytes.Equal(want, got)
}

func marker(dir string) string { return filepath.Join(dir, "node_modules", ".installed-lock.json") }
