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

// importErrors is part of an import's answer. If there are errors, nothing was
// changed.
type importErrors struct {
	// ErrorCount is the number of errors found, at most jsonschema.MaxProblems; Errors
	// has the first shownErrors of them.
	ErrorCount int           `json:"errorCount"`
	Errors     []importError `json:"errors"`
}

type importError struct {
	Line    int    `json:"line"`
	Path    string `json:"path"`
	Problem string `json:"problem"`
}

func (e importErrors) refused() bool { return e.ErrorCount > 0 }

func errorsOf(e *jsonschema.Invalid) importErrors {
	list := importErrors{ErrorCount: len(e.Problems), Errors: []importError{}}
	for _, p := range e.Problems[:min(len(e.Problems), shownErrors)] {
		list.Errors = append(list.Errors, importError{Line: p.Line, Path: p.Path, Problem: p.Text})
	}
	return list
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

// importAnswer reports what an import has changed.
type importAnswer struct {
	DryRun       bool     `json:"dryRun"`
	New          int      `json:"new"`
	Changed      int      `json:"changed"`
	Removed      int      `json:"removed"`
	Unchanged    int      `json:"unchanged"`
	NewSlugs     []string `json:"newSlugs"`
	ChangedSlugs []string `json:"changedSlugs"`
	RemovedSlugs []string `json:"removedSlugs"`
	Version      string   `json:"version"`
	importErrors
}

func (o *operations) importCatalogue(ctx context.Context, e catalogueImport) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	result, err := ImportCatalogue(ctx, o.catalogue, bytes.NewReader(e.File), e.DryRun,
		func(done, total int) { slog.InfoContext(ctx, "catalogue import", "done", done, "total", total) })
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		a := answerOf(e, cancellation.ImportResult{})
		a.importErrors = errorsOf(invalid)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "catalogue imported", "dryRun", e.DryRun, "version", result.Version,
		"new", result.New, "changed", result.Changed, "removed", result.Removed, "unchanged", result.Unchanged)
	return answerOf(e, result), nil
}

func answerOf(e catalogueImport, r cancellation.ImportResult) importAnswer {
	return importAnswer{
		DryRun: e.DryRun, Version: r.Version,
		New: r.New, Changed: r.Changed, Removed: r.Removed, Unchanged: r.Unchanged,
		NewSlugs: orEmpty(r.NewSlugs), ChangedSlugs: orEmpty(r.ChangedSlugs), RemovedSlugs: orEmpty(r.RemovedSlugs),
		importErrors: importErrors{Errors: []importError{}},
	}
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

// providersAnswer reports what an import of providers has changed. The lists have the
// first shownIDs.
type providersAnswer struct {
	DryRun     bool     `json:"dryRun"`
	New        int      `json:"new"`
	Changed    int      `json:"changed"`
	Retired    int      `json:"retired"`
	Unchanged  int      `json:"unchanged"`
	NewIDs     []string `json:"newIds"`
	ChangedIDs []string `json:"changedIds"`
	RetiredIDs []string `json:"retiredIds"`
	importErrors
}

func (o *operations) importProviders(ctx context.Context, e providerImport) (any, error) {
	if len(e.File) == 0 {
		return nil, errNoFile()
	}
	// Sandboxes use http; real banks never do.
	list, err := bankcheck.ParseProviders(e.File, o.stage == config.Local || o.stage == config.Test)
	if invalid, ok := errors.AsType[*jsonschema.Invalid](err); ok {
		a := answerProviders(e, pfm.ProviderImport{})
		a.importErrors = errorsOf(invalid)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	result, err := o.writeProviders(ctx, list, e.DryRun, e.RetireMissing)
	if err != nil {
		return nil, err
	}
	return answerProviders(e, result), nil
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

func answerProviders(e providerImport, r pfm.ProviderImport) providersAnswer {
	return providersAnswer{
		DryRun: e.DryRun, New: len(r.New), Changed: len(r.Changed), Retired: len(r.Retired), Unchanged: r.Unchanged,
		NewIDs: first(r.New), ChangedIDs: first(r.Changed), RetiredIDs: first(r.Retired),
		importErrors: importErrors{Errors: []importError{}},
	}
}

func first(ids []string) []string { return orEmpty(ids[:min(len(ids), shownIDs)]) }
