package emulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/gofrs/flock"
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

// install installs the packages of a folder in localstack/ if needed, and returns the folder's
// path. Test binaries run in parallel, so a file lock lets one of them do it.
func install(ctx context.Context, o Options, name string) (dir string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("install the emulators: %w", err)
		}
	}()
	folder, err := Folder()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(folder, name)
	list, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", err
	}
	// The marker has the list of what is installed. It is missing after an interrupted npm ci.
	marker := filepath.Join(dir, "node_modules", ".installed-lock.json")
	installed := func() bool {
		got, err := os.ReadFile(marker)
		return err == nil && bytes.Equal(list, got)
	}
	if installed() {
		return dir, nil
	}
	lock := flock.New(filepath.Join(dir, "package-lock.json"))
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }()
	if installed() {
		return dir, nil
	}
	if o.Progress != nil {
		o.Progress("Installing emulators into " + dir + " (npm ci, only this once) …")
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = dir
	if output, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci in %s: %w\n%s", dir, err, bytes.TrimSpace(output))
	}
	return dir, os.WriteFile(marker, list, 0o644)
}

var javaVersion = regexp.MustCompile(`version "(\d+)`)

// checkJava checks that there is a Java that is new enough for DynamoDB Local.
func checkJava(ctx context.Context) error {
	output, err := exec.CommandContext(ctx, "java", "-version").CombinedOutput()
	found := javaVersion.FindSubmatch(output)
	if err != nil || found == nil {
		return fmt.Errorf("%w; no Java was found", ErrNoDynamoDB)
	}
	if version, _ := strconv.Atoi(string(found[1])); version < oldestJava {
		return fmt.Errorf("%w; the Java found is %d", ErrNoDynamoDB, version)
	}
	return nil
}
