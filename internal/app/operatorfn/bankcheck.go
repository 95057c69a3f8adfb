package operatorfn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"aviso/internal/api/apierror"
	"aviso/internal/app/bankclient"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/secret/keyring"
)

// bankCheck is the event of bank-check. A check takes several calls, because the operator
// authorises a consent in between.
type bankCheck struct {
	ProviderID string `json:"providerId"`
	// RedirectURL is where the bank sends the operator back.
	RedirectURL  string `json:"redirectUrl"`
	PSUIPAddress string `json:"psuIpAddress"`
	// State is that of the last answer; its consentId alone uses a consent again.
	State bankcheck.State `json:"state"`
	// Callback is the query with which the bank sent the operator back.
	Callback string   `json:"callback"`
	PSUID    string   `json:"psuId"`
	IBANs    []string `json:"ibans"`
	// Keep leaves the consent in force.
	Keep bool `json:"keep"`
}

func (e bankCheck) about() []slog.Attr { return []slog.Attr{slog.String("provider", e.ProviderID)} }

// bankCheckAnswer has the state for the next call, and the result once the state is done.
type bankCheckAnswer struct {
	State   bankcheck.State   `json:"state"`
	Verdict bankcheck.Verdict `json:"verdict,omitempty"`
	// Snippet is what the provider file should have.
	Snippet map[string]any `json:"snippet,omitempty"`
}

// bankCheck checks a provider's bank with the stack's own certificates.
func (o *operations) bankCheck(ctx context.Context, e bankCheck) (any, error) {
	if err := requireUUID("/providerId", e.ProviderID); err != nil {
		return nil, err
	}
	callback, err := url.ParseQuery(e.Callback)
	if err != nil || e.State.Done || e.RedirectURL == "" && e.State.ConsentID == "" {
		return nil, apierror.New(apierror.ValidationFailed,
			"redirectUrl must be set, callback must be a query, and state must be that of a check that is not done.")
	}
	p, err := o.banks.Provider(ctx, e.ProviderID)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil, apierror.New(apierror.NotFound, "There is no provider with this ID.")
	case err != nil:
		return nil, fmt.Errorf("read provider: %w", err)
	case p.Endpoint.Supplier() != pfm.SupplierXS2A:
		return nil, apierror.New(apierror.ValidationFailed,
			"An aggregator reads this bank. Only banks that we read ourselves can be checked.")
	}
	root, err := keyring.Load(ctx, o.secrets, o.sealingSecret)
	if err != nil {
		return nil, fmt.Errorf("sealing secret: %w", err)
	}
	sealer, err := bankclient.Sealer(root)
	if err != nil {
		return nil, err
	}
	checker := bankcheck.New(bankcheck.Options{
		Provider: p, Client: bankclient.Options(o.secrets, o.stage, sealer, outbound.Timeouts{}),
		RedirectURL: e.RedirectURL, PSUIPAddress: cmp.Or(e.PSUIPAddress, "127.0.0.1"), Keep: e.Keep,
	})
	answer := pfm.UserAnswer{PSUID: e.PSUID, IBANs: e.IBANs}
	if len(callback) > 0 {
		answer.Callback = callback
	}
	a := bankCheckAnswer{State: checker.Run(ctx, e.State, answer)}
	if a.State.Done {
		a.State.Secret = ""
		a.Verdict, a.Snippet = a.State.Report.Verdict(), a.State.Report.Snippet()
	}
	return a, nil
}
