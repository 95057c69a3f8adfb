package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/keyring"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/providerfile"
	"aviso/internal/pfm/xs2a"
	"aviso/localstack/eventfile"
)

// runner returns what calls the bank: this machine, or a stack's operator function.
func (s settings) runner(getenv func(string) string, redirect string) (runner, error) {
	if s.providerID != "" {
		invoke, err := eventfile.Operator(getenv)
		return s.onStack(invoke, redirect), err
	}
	p, secrets, err := s.readProvider()
	if err != nil {
		return nil, err
	}
	sealer, err := keyring.Root{Current: keyring.RandomToken()}.Sealer("bank") // a check's secrets end with it
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
		if failure, ok := errors.AsType[*eventfile.Failure](err); ok {
			return state, failure // the function's own words
		}
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

// readProvider returns the provider that the flags describe, and its certificates.
func (s settings) readProvider() (pfm.Provider, fileSecrets, error) {
	p := pfm.Provider{CountryCode: strings.ToUpper(s.country), MaxFetchInterval: 730, MaxConsentDays: pfm.MaxConsentDays}
	if s.provider != "" {
		file, err := os.ReadFile(s.provider)
		if err != nil {
			return p, nil, err
		}
		list, err := providerfile.Parse(file, true)
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

// fileSecrets are certificates from files, in the form of the secrets of a stack.
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
