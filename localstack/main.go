// Command localstack runs the whole service on one machine, from template.yaml
// alone (make run). It needs Go and Node, but no Docker and no AWS account.
//
// PORT (3000) is the port, LISTEN (127.0.0.1) the address that it opens at, DATA_DIR (.data)
// the folder for tables, secrets and logs. DYNAMODB=local takes AWS's DynamoDB Local.
// LOG=console prints the functions' log lines. To set a template parameter, write its
// name in upper snake case, such as RATE_LIMIT_PER_MINUTE. PUBLIC_URL is the address of
// a proxy in front of the port (make chaos). CPU_PROFILE names a file for a CPU profile of
// the whole run (make bench ONLY=load PGO=1).
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"syscall"

	"aviso/internal/app"
	"aviso/localstack/docsite"
	"aviso/localstack/emulator"
	"aviso/localstack/stack"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	checkout := filepath.Dir(folder)
	file := flag.String("template", filepath.Join(checkout, "template.yaml"), "the template to run")
	provision := flag.Bool("provision", false, "create tables, queues and secrets at AWS_ENDPOINT_URL, then exit")
	flag.Parse()
	port, err := strconv.ParseUint(cmp.Or(os.Getenv("PORT"), "3000"), 10, 16)
	if err != nil {
		return fmt.Errorf("PORT must be a port number, but is %q", os.Getenv("PORT"))
	}
	dataDir, err := filepath.Abs(cmp.Or(os.Getenv("DATA_DIR"), filepath.Join(checkout, ".data")))
	if err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}

	functions := map[string]stack.Constructor{}
	for name, constructor := range app.Functions() {
		functions[name] = stack.Constructor(constructor)
	}

	stopProfile, err := profile(os.Getenv("CPU_PROFILE"))
	if err != nil {
		return err
	}
	defer stopProfile()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	options := stack.Options{
		Port:         int(port),
		Host:         os.Getenv("LISTEN"),
		BaseURL:      os.Getenv("PUBLIC_URL"),
		DataDir:      dataDir,
		Template:     *file,
		LogToConsole: os.Getenv("LOG") == "console",
		Functions:    functions,
		Seed:         app.SeedLocal,
		Docs:         docsite.New(filepath.Join(checkout, ".build", "docs")),
		Getenv:       os.Getenv,
		Console:      os.Stdout,
	}
	if *provision {
		return stack.Provision(ctx, options)
	}
	return stack.Run(ctx, options)
}

// profile writes a CPU profile to the file at path until stop is called. It does
// nothing if path is empty.
func profile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("CPU_PROFILE: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, fmt.Errorf("CPU_PROFILE: %w", err)
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}, nil
}
