// Command demo plays a partner against a running service, step by step: make
// demo. It fetches a token, makes a user, connects that user to a sandbox bank
// by walking the bank's own pages, reads accounts and transactions, cancels
// contracts by all ways that letters go, and is called back about all of it. It
// talks plain HTTP, shows the curl line
// of each call, and holds every answer against docs/openapi.yaml.
//
// BASE_URL, or the flag of that name, is the service (http://localhost:3000);
// DATA_DIR the data folder of the local stack, which tells where the inbox is;
// -bank and -persona choose another bank and another person. NO_COLOR is
// honoured. The exit status is 0 only when everything went as it should.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"aviso/localstack/contract"
	"aviso/localstack/emulator"
)

func main() {
	if err := run(os.Args[1:], os.Getenv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(args []string, getenv func(string) string, out *os.File) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := options{
		returnURL:  "http://localhost:8080/",
		syncWithin: time.Minute, lettersWithin: time.Minute, askEvery: 200 * time.Millisecond,
	}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.StringVar(&o.baseURL, "base-url", cmp.Or(getenv("BASE_URL"), "http://localhost:3000"), "where the service runs")
	flags.StringVar(&o.bank, "bank", "linden", "a bank of the sandbox, by the beginning of any word of its name")
	flags.StringVar(&o.persona, "persona", "anna", "who logs in at the bank; /sandbox/banks lists them")
	flags.StringVar(&o.inbox, "inbox", inbox(getenv), "where the mail is shown")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.baseURL = strings.TrimSuffix(o.baseURL, "/")
	rules, err := contract.Default()
	if err != nil {
		return err
	}
	s := newScreen(out, colourful(out, getenv), time.Now)
	return walk(ctx, o, rules, s)
}

// inbox is the address that the local stack left in its data folder; empty where
// no stack runs on that.
func inbox(getenv func(string) string) string {
	folder := getenv("DATA_DIR")
	if folder == "" {
		localstack, err := emulator.Folder()
		if err != nil {
			return ""
		}
		folder = filepath.Join(filepath.Dir(localstack), ".data")
	}
	address, err := os.ReadFile(filepath.Join(folder, "inbox"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(address))
}

// colourful tells whether colours would be seen, and are wanted
// (https://no-color.org).
func colourful(out *os.File, getenv func(string) string) bool {
	info, err := out.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
