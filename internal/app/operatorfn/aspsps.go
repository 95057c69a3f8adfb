package operatorfn

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/pfm"
	"aviso/internal/pfm/enablebanking"
)

// aspspImport is the event of import-aspsps.
type aspspImport struct {
	// Secret is the name of the secret with our application's ID and key; empty for
	// defaultSecret.
	Secret string `json:"secret"`
	// BaseURL is the address of a sandbox's aggregator; empty for the real one.
	BaseURL string `json:"baseUrl"`
	DryRun  bool   `json:"dryRun"`
}

const defaultSecret = "enable-banking"

func (e aspspImport) about() []slog.Attr {
	return []slog.Attr{slog.Bool("dryRun", e.DryRun), slog.String("baseUrl", e.BaseURL)}
}

// importASPSPs makes the aggregator's banks providers. Those that it no longer lists become
// Inactive.
func (o *operations) importASPSPs(ctx context.Context, e aspspImport) (any, error) {
	base, secret := cmp.Or(e.BaseURL, enablebanking.BaseURL), cmp.Or(e.Secret, defaultSecret)
	if e.BaseURL != "" {
		if o.stage != config.Local && o.stage != config.Test { // another server would get a token of ours
			return nil, apierror.New(apierror.ValidationFailed, "baseUrl is only for the environments local and test.")
		}
		base = e.BaseURL
	}
	banks, others, err := o.aggregator.Banks(ctx, base, secret)
	if refusal, ok := errors.AsType[*pfm.SupplierError](err); ok {
		return nil, apierror.New(apierror.TemporarilyUnavailable, "The aggregator's banks cannot be listed: "+refusal.Error()+".")
	}
	if err != nil {
		return nil, err
	}
	result, err := o.writeProviders(ctx, banks, e.DryRun, true)
	if err != nil {
		return nil, err
	}
	a := providersAnswer(e.DryRun, result, nil)
	a["notOffered"] = others // that persons cannot connect
	return a, nil
}
