package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"aviso/bench/runtimeapi"
	"aviso/bench/world"
	"aviso/localstack/emulator"
)

// The floors, which are measured along with the functions.
const (
	floorHello   = "floor: hello"
	floorClients = "floor: clients"
	// floorTwo is the second route of clients: two calls in parallel.
	floorTwo = "floor: clients, two calls"
	// floorWrites is another process of clients, which also writes.
	floorWrites = "floor: writes"
)

// floorWriting is the route of floorWrites with as many calls, the last of which is a transaction.
func floorWriting(calls, items int) string {
	return fmt.Sprintf("%s, calls: %d, items: %d", floorWrites, calls, items)
}

// machine is what the functions are built for: Go's name of the architecture, and the
// program that runs such binaries here, if one is needed.
type machine struct {
	goarch   string
	emulator []string
}

// here returns this machine.
func here() machine { return machine{goarch: runtime.GOARCH} }

// deployed returns the machine that the functions are deployed to.
func deployed() machine {
	if runtime.GOARCH == "arm64" {
		return here()
	}
	return machine{goarch: "arm64", emulator: []string{"qemu-aarch64"}}
}

// subject is a bootstrap to measure.
type subject struct {
	name     string
	folder   string // of its package main, from the checkout
	binary   string
	emulator []string // of machine
	env      map[string]string
}

// prepare builds every function and both floors.
func prepare(ctx context.Context, w *world.World, on machine) (map[string]subject, error) {
	subjects := map[string]subject{}
	add := func(name, folder, binary string) error {
		env, err := w.Environment(like(name), w.Endpoints)
		subjects[name] = subject{name: name, folder: folder, binary: binary, emulator: on.emulator, env: env}
		return err
	}
	for _, name := range w.Functions() {
		binary, err := buildFunction(ctx, w.Checkout(), name, on.goarch)
		if err != nil {
			return nil, err
		}
		if err := add(name, "functions/"+name, binary); err != nil {
			return nil, err
		}
	}
	for name, folder := range map[string]string{floorHello: "hello", floorClients: "clients", floorWrites: "clients"} {
		folder = "bench/floor/" + folder
		binary := filepath.Join(w.Checkout(), ".build", "bench", on.goarch, folder, "bootstrap")
		err := command(ctx, w.Checkout(), []string{"CGO_ENABLED=0", "GOARCH=" + on.goarch},
			"go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w",
			"-o", binary, "./"+folder)
		if err != nil {
			return nil, err
		}
		if err := add(name, folder, binary); err != nil {
			return nil, err
		}
	}
	return subjects, nil
}

// buildFunction builds a function with the Makefile, as SAM does.
func buildFunction(ctx context.Context, checkout, name, goarch string) (binary string, err error) {
	architecture := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[goarch]
	dir := filepath.Join(checkout, ".build", "bench", goarch, name)
	return filepath.Join(dir, "bootstrap"), command(ctx, checkout, nil, "make", "--no-print-directory",
		"build-"+logicalID(name), "ARCHITECTURE="+architecture, "ARTIFACTS_DIR="+dir)
}

// logicalID returns a function's logical ID: bank-sync becomes BankSyncFunction.
func logicalID(name string) string {
	var id strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		id.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return id.String() + "Function"
}

func command(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(output))
	}
	return nil
}

// start starts the subject with additional environment variables.
func (s subject) start(ctx context.Context, more ...string) (*runtimeapi.Function, error) {
	return s.startUnder(ctx, s.emulator, more...)
}

// startUnder starts the subject through another program.
func (s subject) startUnder(ctx context.Context, launcher []string, more ...string) (*runtimeapi.Function, error) {
	env := map[string]string{}
	maps.Copy(env, s.env)
	for _, pair := range more {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	var log emulator.Tail
	f, err := runtimeapi.Start(ctx, runtimeapi.Options{Command: append(launcher, s.binary), Env: env, Log: &log})
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.name, err, log.String())
	}
	return f, nil
}

func (s subject) size() (int64, error) {
	info, err := os.Stat(s.binary)
	if err != nil {
		return 0, fmt.Errorf("size of %s: %w", s.name, err)
	}
	return info.Size(), nil
}
