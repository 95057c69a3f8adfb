package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"aviso/internal/clock"
	"aviso/localstack/contract"
	"aviso/localstack/partner"
)

// options configure a walk.
type options struct {
	baseURL   string
	returnURL string
	// id and secret are the partner's credentials.
	id, secret    string
	bank, persona string
	// inbox is the address of the page that shows mail, or "" if it is not known.
	inbox string
	// pass is how much time passes for the user.
	pass period
	// syncWithin limits the wait for accounts, lettersWithin the wait for letters, clockWithin
	// that for one step of the clock.
	syncWithin, lettersWithin, clockWithin, askEvery time.Duration
}

// walker holds what later steps need from earlier ones.
type walker struct {
	options
	screen   *screen
	partner  *partner.Client
	browser  *browser
	receiver *receiver

	// consentPage is the bank's page on which the user approved last.
	consentPage page
	// tookSteps says that the user did more on the way than log in and approve.
	tookSteps bool
	accounts  []gjson.Result
	// contracts are the contracts in the transactions that can be cancelled.
	contracts []target
	// ending is the one cancelled by e-mail; others are cancelled through other channels.
	ending ending
	others []ending
}

// failure is the panic of a step that cannot continue, like a test's FailNow. A walk can
// do nothing else about an error.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// want fails the step with a message unless ok is true.
func want(ok bool, message string, args ...any) {
	if !ok {
		check(fmt.Errorf(message, args...))
	}
}

// attempt runs a step and returns its failure.
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

// newWalker returns a walker and makes sure that the service answers, before anything is
// printed.
func newWalker(ctx context.Context, o options, rules *contract.Contract, s *screen) (*walker, error) {
	transport := &contract.Transport{Contract: rules}
	w := &walker{
		options: o, screen: s, browser: newBrowser(transport, o.returnURL),
		partner: &partner.Client{
			HTTP:    &http.Client{Transport: transport, Timeout: partner.CallWithin},
			BaseURL: o.baseURL, ID: o.id, Secret: o.secret, Vars: map[string]string{},
		},
	}
	_, err := w.partner.Do(ctx, partner.Get("/.well-known/jwks.json"))
	return w, err
}

// walk runs all steps of the journey, until one fails.
func walk(ctx context.Context, o options, rules *contract.Contract, s *screen) error {
	w, err := newWalker(ctx, o, rules, s)
	if err != nil {
		return err
	}
	s.line("%s", s.paint(bold, "Aviso, step by step"))
	s.line("You watch a partner, one of its users, the user's bank, and companies whose contracts")
	s.line("the user cancels. You can paste the commands into a shell, in this order. Every response")
	s.line("is checked against docs/openapi.yaml.")
	s.line("\n    BASE_URL=%s", o.baseURL)
	err = errors.Join(w.take(ctx, journey()), w.unsubscribe(context.WithoutCancel(ctx)))
	if err == nil {
		s.line("In the console you see what happened to the user: %s/console/users/%s\n", o.baseURL, w.partner.Vars["USER_ID"])
	}
	return err
}

// take runs steps, until one fails.
func (w *walker) take(ctx context.Context, steps []step) error {
	s := w.screen
	for _, step := range steps {
		s.begin(step.title, step.explanation)
		if err := attempt(func() { s.end("%s", step.do(w, ctx)) }); err != nil {
			s.failed()
			return err
		}
	}
	s.line("\n%s All %d steps took %s, and every response matched the documentation.\n",
		s.paint(green, "Done."), s.step, duration(s.now().Sub(s.begun)))
	return nil
}

// call makes a call and returns the response.
func (w *walker) call(ctx context.Context, c partner.Call) gjson.Result {
	text, err := w.partner.Do(ctx, c)
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	check(err)
	return gjson.ParseBytes(text)
}

// show prints calls as commands and makes them, except those to be repeated. It returns
// the last response.
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

// eventually polls until done returns true, or fails after a time.
func (w *walker) eventually(
	ctx context.Context, within time.Duration, failure string, done func(context.Context) bool,
) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("%s within %s", failure, within))
	defer cancel()
	for !done(ctx) {
		if !clock.Wait(ctx, w.askEvery) {
			check(context.Cause(ctx))
		}
	}
}

// row returns an object's values at these paths as the cells of a table. Numbers keep
// their digits.
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
