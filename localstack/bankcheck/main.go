// Command bankcheck checks a bank before users connect it (make bank-check). docs/banks.md
// explains it.
//
// With BASE_URL or -provider it calls the bank from this machine. With -provider-id it
// calls the operator function of a stack, as make operator does (DATA_DIR or
// OPERATOR_FUNCTION), so that the stack's own certificates are used; BASE_URL is then the
// address of the stack's API.
//
// The exit status is 1 if the bank cannot be connected as it is.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
)

var errCannotConnect = errors.New("bank-check: the bank cannot be connected as it is")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	baseURL, provider, providerID           string
	country, clientID                       string
	certificate, key, roots, sealCert, seal string
	redirect, consent, psuID, ibans, ip     string
	keep                                    bool
}

func parse(args []string, getenv func(string) string, out io.Writer) (settings, error) {
	var s settings
	f := flag.NewFlagSet("bank-check", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&s.baseURL, "base-url", getenv("BASE_URL"), "address of the bank before /v1; with -provider-id, of the stack's API")
	f.StringVar(&s.provider, "provider", "", "provider `file` with one line: its endpoint, profile and limits count")
	f.StringVar(&s.providerID, "provider-id", "", "ID of a provider of a stack, whose operator function then calls the bank")
	f.StringVar(&s.country, "country", "DE", "country of the bank")
	f.StringVar(&s.clientID, "client-id", "", "our ID at the bank's authorization server")
	f.StringVar(&s.certificate, "cert", "", "`file` with the QWAC and its chain, in PEM")
	f.StringVar(&s.key, "key", "", "`file` with its key, in PEM")
	f.StringVar(&s.roots, "roots", "", "`file` with the authorities of the bank's certificate, in PEM, if they are not public")
	f.StringVar(&s.sealCert, "seal-cert", "", "`file` with the QSealC, in PEM")
	f.StringVar(&s.seal, "seal-key", "", "`file` with its key, in PEM")
	f.StringVar(&s.redirect, "redirect", "", "where the bank sends you back, if it must be registered; otherwise this program listens")
	f.StringVar(&s.consent, "consent", "", "`ID` of a valid consent, to use it again")
	f.StringVar(&s.psuID, "psu-id", "", "your ID at the bank's sandbox, if the bank asks for it")
	f.StringVar(&s.ibans, "ibans", "", "the accounts, separated by commas, if the bank asks for them")
	f.StringVar(&s.ip, "ip", "127.0.0.1", "your IP `address`, as the bank sees it")
	f.BoolVar(&s.keep, "keep", false, "do not end the consent")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("bank-check: unexpected argument %s", f.Arg(0))
	}
	if s.baseURL == "" && s.provider == "" {
		return s, errors.New("bank-check: set BASE_URL to the bank's address before /v1, or -provider to a provider file")
	}
	return s, nil
}

// runner goes on with a check.
type runner func(ctx context.Context, s bankcheck.State, a pfm.UserAnswer) (bankcheck.State, error)

func run(ctx context.Context, args []string, getenv func(string) string, in io.Reader, out io.Writer) error {
	s, err := parse(args, getenv, out)
	if err != nil {
		return err
	}
	u, err := newUser(ctx, s, in, out)
	if err != nil {
		return err
	}
	defer u.close()
	next, err := s.runner(getenv, u.redirect)
	if err != nil {
		return err
	}
	state, err := next(ctx, bankcheck.State{ConsentID: s.consent}, pfm.UserAnswer{})
	for err == nil && !state.Done {
		var answer pfm.UserAnswer
		if answer, err = u.answer(ctx, state); err == nil {
			state, err = next(ctx, state, answer)
		}
	}
	if err != nil {
		return err
	}
	_, _ = fmt.Fprint(out, state.Report.String())
	if state.Kept {
		_, _ = fmt.Fprintln(out, "Use the consent again with -consent "+state.ConsentID)
	}
	if state.Report.Verdict() == bankcheck.CannotConnect {
		return errCannotConnect
	}
	return nil
}

func (s settings) list() []string {
	return strings.FieldsFunc(s.ibans, func(r rune) bool { return r == ',' || r == ' ' })
}
