package operatorfn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"

	"aviso/internal/api/apierror"
	"aviso/internal/app/bankclient"
	"aviso/internal/outbound"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/secret/keyring"
)

// bankCheck checks a provider's bank with the stack's own certificates. A check takes several calls, because the
// operator authorises a consent in between. Each answer has the state for the next call; the last one has the verdict
// and the members that the provider file should have.
func (o *operations) bankCheck(ctx context.Context, e event) (any, error) {
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
		Provider: p, Client: bankclient.Options(o.secrets, o.stage, sealer, outbound.Timeouts{}, o.banks.IsClaimed),
		RedirectURL: e.RedirectURL, PSUIPAddress: cmp.Or(e.PSUIPAddress, "127.0.0.1"), Keep: e.Keep,
	})
	given := pfm.UserAnswer{PSUID: e.PSUID, IBANs: e.IBANs}
	if len(callback) > 0 {
		given.Callback = callback
	}
	state := checker.Run(ctx, e.State, given)
	if !state.Done {
		return answer{"state": state}, nil
	}
	state.Secret = ""
	a := answer{"state": state, "verdict": state.Report.Verdict()}
	if snippet := state.Report.Snippet(); len(snippet) > 0 {
		a["snippet"] = snippet
	}
	return a, nil
}
