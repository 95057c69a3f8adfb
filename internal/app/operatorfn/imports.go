package operatorfn

import (
	"bytes"
	"context"
	"errors"
	"log/slog"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/jsonschema"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
)

// shownErrors and shownIDs keep a response well below Lambda's limit of 6 MB.
const (
	shownErrors = 1000
	shownIDs    = 1000
)

// importAnswer is the answer of an import. If there are errors, of which it has the first
// shownErrors, nothing was changed. errorCount is at most jsonschema.MaxProblems.
func importAnswer(dryRun bool, invalid *jsonschema.Invalid, changes answer) answer {
	list := []answer{}
	changes["dryRun"], changes["errorCount"] = dryRun, 0
	if invalid != nil {
		changes["errorCount"] = len(invalid.Problems)
		for _, p := range invalid.Problems[:min(len(invalid.Problems), shownErrors)] {
			list = append(list, answer{"line": p.Line, "path": p.Path, "problem": p.Text})
		}
	}
	changes["errors"] = list
	return changes
}

// catalogueImport is the event of import-catalogue.
type catalogueImport struct {
	// File is the catalogue file, plain or compressed with gzip. It is base64 in the
	// event.
	File []byte `json:"file"`
	// DryRun reports what would change and writes nothing.
	DryRun bool `json:"dryRun"`
}

func (e catalogueImport) about() []slog.Attr { return []slog.Attr{slog.Bool("dryRun", e.DryRun)} }

func (o *operations) importCatalogue(ctx context.Context, e catalogueImport) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	result, err := ImportCatalogue(ctx, o.catalogue, bytes.NewReader(e.File), e.DryRun,
		func(done, total int) { slog.InfoContext(ctx, "catalogue import", "done", done, "total", total) })
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		return catalogueAnswer(e, cancellation.ImportResult{}, invalid), nil
	}
	if err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "catalogue imported", "dryRun", e.DryRun, "version", result.Version,
		"new", result.New, "changed", result.Changed, "removed", result.Removed, "unchanged", result.Unchanged)
	return catalogueAnswer(e, result, nil), nil
}

func catalogueAnswer(e catalogueImport, r cancellation.ImportResult, invalid *jsonschema.Invalid) answer {
	return importAnswer(e.DryRun, invalid, answer{
		"version": r.Version, "new": r.New, "changed": r.Changed, "removed": r.Removed, "unchanged": r.Unchanged,
		"newSlugs": orEmpty(r.NewSlugs), "changedSlugs": orEmpty(r.ChangedSlugs), "removedSlugs": orEmpty(r.RemovedSlugs),
	})
}

func errNoFile() error {
	return apierror.New(apierror.ValidationFailed, "file is required: the content of the file in base64.")
}

// providerImport is the event of import-providers.
type providerImport struct {
	// File is a file of JSON Lines (see package bankcheck), plain or compressed
	// with gzip. It is base64 in the event.
	File   []byte `json:"file"`
	DryRun bool   `json:"dryRun"`
	// RetireMissing makes providers that are not in the file Inactive.
	RetireMissing bool `json:"retireMissing"`
}

func (e providerImport) about() []slog.Attr {
	return []slog.Attr{slog.Bool("dryRun", e.DryRun), slog.Bool("retireMissing", e.RetireMissing)}
}

func (o *operations) importProviders(ctx context.Context, e providerImport) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	// Sandboxes use http; real banks never do.
	list, err := bankcheck.ParseProviders(e.File, o.stage == config.Local || o.stage == config.Test)
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		return providersAnswer(e.DryRun, pfm.ProviderImport{}, invalid), nil
	}
	if err != nil {
		return nil, err
	}
	result, err := o.writeProviders(ctx, list, e.DryRun, e.RetireMissing)
	if err != nil {
		return nil, err
	}
	return providersAnswer(e.DryRun, result, nil), nil
}

func (o *operations) writeProviders(
	ctx context.Context, list []pfm.Provider, dryRun, retire bool,
) (pfm.ProviderImport, error) {
	result, err := o.providers.Import(ctx, list, dryRun, retire, func(done, total int) {
		slog.InfoContext(ctx, "provider import", "done", done, "total", total)
	})
	if errors.Is(err, pfm.ErrImportRunning) {
		return result, apierror.New(apierror.Conflict,
			"Another import of providers is running. Try again when it is done.")
	}
	if err != nil {
		return result, err
	}
	slog.InfoContext(ctx, "providers imported", "dryRun", dryRun,
		"new", len(result.New), "changed", len(result.Changed), "retired", len(result.Retired),
		"unchanged", result.Unchanged)
	return result, nil
}

// providersAnswer reports what an import of providers has changed. The lists have the first
// shownIDs.
func providersAnswer(dryRun bool, r pfm.ProviderImport, invalid *jsonschema.Invalid) answer {
	return importAnswer(dryRun, invalid, answer{
		"new": len(r.New), "changed": len(r.Changed), "retired": len(r.Retired), "unchanged": r.Unchanged,
		"newIds": first(r.New), "changedIds": first(r.Changed), "retiredIds": first(r.Retired),
	})
}

func first(ids []string) []string { return orEmpty(ids[:min(len(ids), shownIDs)]) }
