// Command demo plays a partner against a running service, step by step (make demo). It
// connects a user to a sandbox bank through the bank's own pages, reads accounts and
// transactions, cancels contracts through every channel for letters, receives callbacks about
// all of it, and lets a year pass for the user. It uses the Go client, prints each call as a
// curl command with what came back, and checks every response against docs/openapi.yaml.
//
// BASE_URL is the service (http://localhost:3000). -bank and -persona choose another bank and
// another person, -months another time than a year. The exit status is 0 only if everything
// worked.
//
// With -smoke it checks a deployed stack (make smoke): it prints no calls, receives no
// callbacks, and erases its user at the end. CLIENT_ID and CLIENT_SECRET are the partner's,
// RETURN_URL one of its return URLs. In production, it only reads what belongs to no user.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	aviso "aviso.example/client"

	"aviso/localstack/stack/command"
	"aviso/localstack/stack/partner"
	"aviso/localstack/tests/contract"
)

func main() {
	command.Main("demo: ", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Getenv, os.Stdout) })
}

// walk holds what later steps need from earlier ones.
type walk struct {
	ctx                                                       context.Context
	out                                                       io.Writer
	baseURL, returnURL, clientID, clientSecret, bank, persona string
	months                                                    int
	brief                                                     bool
	printer                                                   *printer
	http                                                      *http.Client
	client                                                    *aviso.Client
	user                                                      *aviso.UserView
	connectionID, subscriptionID, endingID                    string
	accounts                                                  []aviso.Account
	contracts                                                 []*aviso.ProductDetail
	others                                                    []string
	mu                                                        sync.Mutex
	events                                                    []*aviso.Event
}

func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	w := &walk{
		ctx: ctx, out: out, returnURL: cmp.Or(getenv("RETURN_URL"), "http://localhost:8080/"),
		baseURL:      strings.TrimSuffix(cmp.Or(getenv("BASE_URL"), "http://localhost:3000"), "/"),
		clientID:     cmp.Or(getenv("CLIENT_ID"), partner.ClientID),
		clientSecret: cmp.Or(getenv("CLIENT_SECRET"), partner.ClientSecret),
	}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError) // not flag.CommandLine, for tests
	flags.StringVar(&w.bank, "bank", "linden", "first letters of any word in a sandbox bank's name")
	flags.StringVar(&w.persona, "persona", "anna", "who logs in at the bank; /sandbox/banks lists the personas")
	flags.IntVar(&w.months, "months", 12, "how much time passes for the user")
	flags.BoolVar(&w.brief, "smoke", false, "check a deployed stack")
	if err := flags.Parse(args); err != nil {
		return err
	}
	rules, err := contract.Default()
	if err != nil {
		return err
	}
	jar, _ := cookiejar.New(nil) // never fails without options
	checked := &contract.Transport{Contract: rules, Base: http.DefaultTransport}
	w.printer = &printer{next: checked, out: out, baseURL: w.baseURL, quiet: w.brief}
	w.http = &http.Client{Transport: w.printer, Timeout: partner.CallWithin, Jar: jar}
	w.client, err = aviso.New(aviso.Config{
		BaseURL: w.baseURL, ClientID: w.clientID, ClientSecret: w.clientSecret, HTTPClient: w.http, MaxRetries: -1,
	})
	if err != nil {
		return err
	}
	if w.brief {
		return w.smoke()
	}
	fmt.Fprintf(out, "You can paste these commands into a shell that has BASE_URL=%s and a TOKEN.\n", w.baseURL)
	err = w.take(w.journey())
	if w.subscriptionID != "" {
		err = errors.Join(err, w.client.Webhooks.DeleteSubscription(context.WithoutCancel(ctx), w.subscriptionID))
	}
	return err
}

// smoke takes every step that the service can take without calling this machine. Without a
// sandbox, it only reads what belongs to no user.
func (w *walk) smoke() error {
	status, err := w.page(http.MethodGet, "/sandbox/banks", nil)
	if status == http.StatusNotFound {
		fmt.Fprintf(w.out, "%s has no sandbox, so this test changes nothing.\n", w.baseURL)
		return w.take([]step{{"The partner reads what belongs to no user", w.readOnly, false}})
	}
	// Its pages show only the letters of the partner that is signed in. A local stack has no page for that.
	signIn := url.Values{"clientId": {w.clientID}, "clientSecret": {w.clientSecret}}
	_, failed := w.page(http.MethodPost, "/sandbox/sign-in", signIn)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	err = w.take(slices.DeleteFunc(w.journey(), func(s step) bool { return s.local }))
	if w.user != nil {
		_, failed := w.client.Users.Delete(context.WithoutCancel(w.ctx), w.user.ID)
		err = errors.Join(err, failed)
	}
	return err
}

// step is a step of the journey; do returns its result. It is local if it needs a server on this
// machine that the service can call.
type step struct {
	title string
	do    func() string
	local bool
}

// take takes steps, until one fails. They panic with an error, as aviso.Must does.
func (w *walk) take(steps []step) (err error) {
	defer func() {
		if err, _ = recover().(error); errors.Is(err, syscall.ECONNREFUSED) {
			err = fmt.Errorf("nothing answers at %s; start the service in another terminal first: make run", w.baseURL)
		}
	}()
	for i, s := range steps {
		fmt.Fprintf(w.out, "\n%2d  %s\n\n", i+1, s.title)
		at := time.Now()
		w.printer.quiet = w.brief
		w.tell("✓ %s (%s)", s.do(), time.Since(at).Round(time.Millisecond))
	}
	fmt.Fprintf(w.out, "\nDone: %d steps, and every response matched the documentation.\n", len(steps))
	return nil
}

// want fails the step with a message unless ok is true.
func want(ok bool, message string, args ...any) {
	if !ok {
		panic(fmt.Errorf(message, args...))
	}
}

// eventually asks until done returns true, or fails after a time: a stack on AWS takes longer
// than a local one.
func (w *walk) eventually(failure string, done func() bool) {
	for end := time.Now().Add(5 * time.Minute); !done(); time.Sleep(200 * time.Millisecond) {
		want(w.ctx.Err() == nil && time.Now().Before(end), "%s", failure)
	}
}

func (w *walk) tell(format string, args ...any) { fmt.Fprintf(w.out, "    "+format+"\n", args...) }

// page opens a page of the sandbox and returns its status.
func (w *walk) page(method, path string, form url.Values) (int, error) {
	req, err := http.NewRequestWithContext(w.ctx, method, w.baseURL+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := w.http.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}
