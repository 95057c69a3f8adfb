// Command demo plays a partner against a running service, step by step (make demo). It
// gets a token, creates a user, connects the user to a sandbox bank through the bank's
// own pages, reads accounts and transactions, cancels contracts through every channel for
// letters, receives callbacks about all of it, and lets a year pass for the user. It uses
// plain HTTP, prints each call as a curl command, and checks every response against
// docs/openapi.yaml.
//
// BASE_URL, or the flag -base-url, is the service (http://localhost:3000). DATA_DIR is the
// local stack's data folder, which holds the inbox address. -bank and -persona choose
// another bank and another person, -pass another time than a year. NO_COLOR turns colours
// off. The exit status is 0 only if everything worked.
//
// With -smoke it checks a deployed stack (make smoke): it prints no commands, receives no
// callbacks, and erases its user at the end. CLIENT_ID and CLIENT_SECRET are the partner's,
// RETURN_URL one of its return URLs. In production, it only reads what belongs to no user.
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
	"aviso/localstack/partner"
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
		returnURL: "http://localhost:8080/",
		id:        partner.ClientID, secret: partner.ClientSecret,
		pass:       period{"P1M", 12},
		syncWithin: time.Minute, lettersWithin: time.Minute, clockWithin: 3 * time.Minute, askEvery: 200 * time.Millisecond,
	}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	service := cmp.Or(getenv("BASE_URL"), "http://localhost:3000")
	flags.StringVar(&o.baseURL, "base-url", service, "address of the service")
	flags.StringVar(&o.bank, "bank", "linden", "first letters of any word in a sandbox bank's name")
	flags.StringVar(&o.persona, "persona", "anna", "who logs in at the bank; /sandbox/banks lists the personas")
	flags.StringVar(&o.inbox, "inbox", inbox(getenv), "address of the page that shows mail")
	flags.Var(&o.pass, "pass", "how much time passes for the user: years, months or days, such as P1Y, P6M or P10D")
	smoke := flags.Bool("smoke", false, "check a deployed stack")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.baseURL = strings.TrimSuffix(o.baseURL, "/")
	rules, err := contract.Default()
	if err != nil {
		return err
	}
	s := newScreen(out, colourful(out, getenv), time.Now)
	if *smoke {
		return smokeTest(ctx, deployed(o, getenv), rules, s)
	}
	return walk(ctx, o, rules, s)
}

// inbox returns the inbox address from the local stack's data folder, or "" if no stack
// uses the folder.
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

// colourful reports whether out shows colours and the user wants them
// (https://no-color.org).
func colourful(out *os.File, getenv func(string) string) bool {
	info, err := out.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
