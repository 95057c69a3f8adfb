// Command bankcheck checks a bank before users connect it (make bank-check). docs/banks.md
// explains it.
//
// With BASE_URL or -provider it calls the bank from this machine. With -provider-id it calls the operator function of
// a stack, as make operator does (DATA_DIR or OPERATOR_FUNCTION), to use the stack's own certificates; BASE_URL is
// then the address of the stack's API.
//
// The exit status is 1 if the bank cannot be connected as it is.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/secret/keyring"
	"aviso/localstack/stack/command"
	"aviso/localstack/stack/eventfile"
)

var errCannotConnect = errors.New("bank-check: the bank cannot be connected as it is")

func main() {
	command.Main("", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout) })
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
	f.StringVar(&s.baseURL, "base-url", getenv("BASE_URL"),
		"address of the bank before /v1; with -provider-id, of the stack's API")
	f.StringVar(&s.provider, "provider", "", "provider `file` with one line: its endpoint, profile and limits count")
	f.StringVar(&s.providerID, "provider-id", "",
		"ID of a provider of a stack, whose operator function then calls the bank")
	f.StringVar(&s.country, "country", "DE", "country of the bank")
	f.StringVar(&s.clientID, "client-id", "", "our ID at the bank's authorization server")
	f.StringVar(&s.certificate, "cert", "", "`file` with the QWAC and its chain, in PEM")
	f.StringVar(&s.key, "key", "", "`file` with its key, in PEM")
	f.StringVar(&s.roots, "roots", "",
		"`file` with the authorities of the bank's certificate, in PEM, if they are not public")
	f.StringVar(&s.sealCert, "seal-cert", "", "`file` with the QSealC, in PEM")
	f.StringVar(&s.seal, "seal-key", "", "`file` with its key, in PEM")
	f.StringVar(&s.redirect, "redirect", "",
		"where the bank sends you back, if it must be registered; otherwise this program listens")
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

// runner continues a check.
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
	state, err := next(ctx, bankcheck.State{ConsentID: s.consent}, pfm.UserAnswer{PSUID: s.psuID, IBANs: s.list()})
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
	if len(state.Said) > 0 {
		_, _ = fmt.Fprintln(out, "\nThe bank's own words, which may have personal data:\n  "+strings.Join(state.Said, "\n  "))
	}
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

// runner returns the runner: this machine, or a stack's operator function.
func (s settings) runner(getenv func(string) string, redirect string) (runner, error) {
	if s.providerID != "" {
		invoke, err := eventfile.Operator(getenv)
		return s.onStack(invoke, redirect), err
	}
	p, secrets, err := s.readProvider()
	if err != nil {
		return nil, err
	}
	sealer, err := keyring.Root{Current: keyring.RandomToken()}.Sealer("bank") // only needed until the check ends
	if err != nil {
		return nil, err
	}
	checker := bankcheck.New(bankcheck.Options{
		Provider: p, RedirectURL: redirect, PSUIPAddress: s.ip, Keep: s.keep,
		Client: xs2a.Options{NewRequestID: uuid.NewString, Now: time.Now, Sealer: sealer, Secrets: secrets},
	})
	return func(ctx context.Context, state bankcheck.State, a pfm.UserAnswer) (bankcheck.State, error) {
		return checker.Run(ctx, state, a), nil
	}, nil
}

func (s settings) onStack(invoke eventfile.Invoker, redirect string) runner {
	return func(ctx context.Context, state bankcheck.State, a pfm.UserAnswer) (bankcheck.State, error) {
		event, err := json.Marshal(map[string]any{
			"command": "bank-check", "providerId": s.providerID, "redirectUrl": redirect, "psuIpAddress": s.ip,
			"state": state, "callback": a.Callback.Encode(), "psuId": a.PSUID, "ibans": a.IBANs, "keep": s.keep,
		})
		if err != nil {
			return state, err
		}
		answer, err := invoke(ctx, event)
		if err != nil {
			return state, err
		}
		var response struct{ State bankcheck.State }
		if err := json.Unmarshal(answer, &response); err != nil {
			return state, fmt.Errorf("read the answer of the operator function: %w", err)
		}
		return response.State, nil
	}
}

// readProvider returns the provider and the certificates that the flags name.
func (s settings) readProvider() (pfm.Provider, fileSecrets, error) {
	p := pfm.Provider{CountryCode: strings.ToUpper(s.country), MaxFetchInterval: 730, MaxConsentDays: pfm.MaxConsentDays}
	if s.provider != "" {
		file, err := os.ReadFile(s.provider)
		if err != nil {
			return p, nil, err
		}
		list, err := bankcheck.ParseProviders(file, true)
		if err != nil {
			return p, nil, err
		}
		if len(list) != 1 {
			return p, nil, fmt.Errorf("bank-check: %s has %d providers, want one", s.provider, len(list))
		}
		p = list[0]
	}
	p.Endpoint.BaseURL = strings.TrimRight(cmp.Or(s.baseURL, p.Endpoint.BaseURL), "/")
	p.Endpoint.SCA.ClientID = cmp.Or(s.clientID, p.Endpoint.SCA.ClientID)
	secrets := fileSecrets{}
	if s.certificate != "" {
		p.Endpoint.TransportSecret = cmp.Or(p.Endpoint.TransportSecret, "qwac")
	}
	if s.sealCert != "" {
		p.Endpoint.SealSecret = cmp.Or(p.Endpoint.SealSecret, "qsealc")
	}
	err := errors.Join(
		secrets.add(p.Endpoint.TransportSecret, s.certificate, s.key, s.roots),
		secrets.add(p.Endpoint.SealSecret, s.sealCert, s.seal, ""),
	)
	return p, secrets, err
}

// fileSecrets are certificates from files, in the form of a stack's secrets.
type fileSecrets map[string]string

// Secret implements xs2a.Secrets.
func (f fileSecrets) Secret(_ context.Context, name string) (string, error) {
	if text, ok := f[name]; ok {
		return text, nil
	}
	return "", xs2a.ErrNoSecret
}

func (f fileSecrets) add(name, certificate, key, roots string) error {
	if certificate == "" {
		return nil
	}
	secret := map[string]string{}
	for member, path := range map[string]string{"certificate": certificate, "key": key, "roots": roots} {
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		secret[member] = string(text)
	}
	text, err := json.Marshal(secret)
	f[name] = string(text)
	return err
}
