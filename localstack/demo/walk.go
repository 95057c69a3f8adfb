package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/contract"
	"aviso/localstack/partner"
)

// options are what a walk needs to know beforehand.
type options struct {
	baseURL       string
	returnURL     string
	bank, persona string
	// inbox is where the mail is shown that the service has sent; empty where
	// that is not known.
	inbox string
	// syncWithin bounds the reading of accounts, lettersWithin the way of letters.
	syncWithin, lettersWithin, askEvery time.Duration
}

// walker carries what one step leaves for the next.
type walker struct {
	options
	screen   *screen
	partner  *partner.Client
	browser  *browser
	receiver *receiver

	accounts []gjson.Result
	// contracts are those found in the transactions that can be cancelled.
	contracts []target
	// ending is the one that is; others end by other ways.
	ending ending
	others []ending
}

// failure is what a step panics with that cannot go on, as a test ends with
// FailNow: in a walk there is nothing else to do with an error.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// want fails the step unless something is so.
func want(so bool, otherwise string, args ...any) {
	if !so {
		check(fmt.Errorf(otherwise, args...))
	}
}

// attempt gives the failure of a step.
func attempt(step func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	step()
	return nil
}

// walk does all steps; the first that fails ends it.
func walk(ctx context.Context, o options, rules *contract.Contract, s *screen) (err error) {
	transport := &contract.Transport{Contract: rules}
	w := &walker{
		options: o, screen: s, browser: newBrowser(transport, o.returnURL),
		partner: &partner.Client{
			HTTP: &http.Client{Transport: transport, Timeout: partner.CallWithin}, BaseURL: o.baseURL, Vars: map[string]string{},
		},
	}
	// Whether anything answers at all comes before the first line on the screen.
	if _, err := w.partner.Do(ctx, partner.Get("/.well-known/jwks.json")); err != nil {
		return err
	}
	s.line("%s", s.paint(bold, "Aviso, step by step"))
	s.line("You watch a partner, one of its users, the user's bank, and some companies that the")
	s.line("user leaves. The commands can be pasted into a shell in this order; every answer is")
	s.line("held against docs/openapi.yaml.")
	s.line("\n    BASE_URL=%s", o.baseURL)
	defer func() { err = errors.Join(err, w.unsubscribe(context.WithoutCancel(ctx))) }()
	for _, step := range journey() {
		s.begin(step.title, step.explanation)
		if err := attempt(func() { s.end("%s", step.do(w, ctx)) }); err != nil {
			s.failed()
			return err
		}
	}
	s.line("\n%s All %d steps in %s, and every answer as documented.\n",
		s.paint(green, "Done."), s.step, duration(s.now().Sub(s.begun)))
	return nil
}

// call makes a call and gives the answer.
func (w *walker) call(ctx context.Context, c partner.Call) gjson.Result {
	text, err := w.partner.Do(ctx, c)
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	check(err)
	return gjson.ParseBytes(text)
}

// show shows calls as commands and makes them, but those to be made again and
// again; it gives the last answer.
func (w *walker) show(ctx context.Context, calls ...partner.Call) (last gjson.Result) {
	commands := make([]string, len(calls))
	for i, c := range calls {
		commands[i] = c.String()
	}
	w.screen.curl(commands...)
	for _, c := range calls {
		if c.Until == "" {
			last = w.call(ctx, c)
		}
	}
	return last
}

// eventually asks until something is so, within a time.
func (w *walker) eventually(
	ctx context.Context, within time.Duration, otherwise string, so func(context.Context) bool,
) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("%s within %s", otherwise, within))
	defer cancel()
	for !so(ctx) {
		select {
		case <-ctx.Done():
			check(context.Cause(ctx))
		case <-time.After(w.askEvery):
		}
	}
}

// row is what an object has at these paths, as the cells of a table: numbers in
// their own digits.
func row(object gjson.Result, paths ...string) []string {
	cells := make([]string, len(paths))
	for i, path := range paths {
		value := object.Get(path)
		cells[i] = value.String()
		if value.Type == gjson.Number {
			cells[i] = value.Raw
		}
	}
	return cells
}
