package operatorfn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/api/apierror"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/jsonschema"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/enablebanking"
)

// These limits keep a response well below Lambda's 6 MB.
const (
	shownErrors = 1000
	shownIDs    = 1000
	shownSlugs  = 20
)

// importAnswer is the answer of an import. If the file is invalid, nothing has changed, and the answer lists the
// first shownErrors errors. errorCount is at most jsonschema.MaxProblems.
func importAnswer(dryRun bool, err error, changes answer) (any, error) {
	list := []answer{}
	changes["dryRun"], changes["errorCount"] = dryRun, 0
	invalid, ok := errors.AsType[*jsonschema.Invalid](err)
	if err != nil && !ok {
		return nil, err
	}
	if ok {
		changes["errorCount"] = len(invalid.Problems)
		for _, p := range invalid.Problems[:min(len(invalid.Problems), shownErrors)] {
			list = append(list, answer{"line": p.Line, "path": p.Path, "problem": p.Text})
		}
	}
	changes["errors"] = list
	return changes, nil
}

func (o *operations) importCatalogue(ctx context.Context, e event) (any, error) {
	r, err := ImportCatalogue(ctx, o.catalogue, bytes.NewReader(e.File), e.DryRun,
		func(done, total int) { slog.InfoContext(ctx, "catalogue import", "done", done, "total", total) })
	if err == nil {
		slog.InfoContext(ctx, "catalogue imported", "dryRun", e.DryRun, "version", r.Version,
			"new", len(r.New), "changed", len(r.Changed), "removed", len(r.Removed), "unchanged", r.Unchanged)
	}
	warnings := []answer{}
	for _, slugs := range r.Unanswerable[:min(len(r.Unanswerable), shownErrors)] {
		warnings = append(warnings, answer{
			"product": slugs, "problem": "by e-mail alone, without the field " + catalogue.FieldEmail +
				": the organization's answer goes to replyTo or else to your ReplyAddress",
		})
	}
	return importAnswer(e.DryRun, err, answer{
		"warnings": warnings, "warningCount": len(r.Unanswerable), "version": r.Version, "unchanged": r.Unchanged,
		"new": len(r.New), "changed": len(r.Changed), "removed": len(r.Removed),
		"newSlugs": first(r.New, shownSlugs), "changedSlugs": first(r.Changed, shownSlugs),
		"removedSlugs": first(r.Removed, shownSlugs),
	})
}

func (o *operations) importProviders(ctx context.Context, e event) (any, error) {
	// Sandboxes use http; real banks never do.
	list, err := bankcheck.ParseProviders(e.File, o.stage == config.Local || o.stage == config.Test)
	if err != nil {
		return importAnswer(e.DryRun, err, providersAnswer(pfm.ProviderImport{}))
	}
	changes, err := o.writeProviders(ctx, list, e.DryRun, e.RetireMissing)
	return importAnswer(e.DryRun, err, changes)
}

func (o *operations) writeProviders(ctx context.Context, list []pfm.Provider, dryRun, retire bool) (answer, error) {
	r, err := pfm.ImportProviders(ctx, o.banks, list, dryRun, retire, func(done, total int) {
		slog.InfoContext(ctx, "provider import", "done", done, "total", total)
	})
	if errors.Is(err, pfm.ErrImportRunning) {
		err = apierror.New(apierror.Conflict, "Another import of providers is running. Try again when it is done.")
	}
	if err == nil {
		slog.InfoContext(ctx, "providers imported", "dryRun", dryRun,
			"new", len(r.New), "changed", len(r.Changed), "retired", len(r.Retired), "unchanged", r.Unchanged)
	}
	return providersAnswer(r), err
}

// providersAnswer reports what an import of providers has changed. Each list has at most shownIDs entries.
func providersAnswer(r pfm.ProviderImport) answer {
	return answer{
		"new": len(r.New), "changed": len(r.Changed), "retired": len(r.Retired), "unchanged": r.Unchanged,
		"newIds": first(r.New, shownIDs), "changedIds": first(r.Changed, shownIDs),
		"retiredIds": first(r.Retired, shownIDs),
	}
}

func first(list []string, most int) []string { return orEmpty(list[:min(len(list), most)]) }

// NewImporter returns an importer for the named tables.
func NewImporter(db *dynamodb.Client, table, outboxTable string) *catalogue.Importer {
	store := cancellationdb.New(db, table, outboxTable, time.Now, bootstrap.NewID)
	search := fulltext.NewStore(db, table, time.Now)
	return &catalogue.Importer{Store: store, Search: search, Now: time.Now, NewID: bootstrap.NewID}
}

// ImportCatalogue replaces the stored catalogue with a file. If the file is invalid or has text that a letter cannot
// show, ImportCatalogue writes nothing and returns a *jsonschema.Invalid.
func ImportCatalogue(
	ctx context.Context, importer *catalogue.Importer, file io.Reader, dryRun bool, progress func(done, total int),
) (catalogue.ImportResult, error) {
	edition, err := cataloguefile.Parse(file)
	if err != nil {
		return catalogue.ImportResult{}, err
	}
	return importer.Import(ctx, edition, dryRun, progress)
}

const defaultSecret = "enable-banking"

// importASPSPs makes providers of the aggregator's banks. Banks that the aggregator no longer lists become Inactive.
func (o *operations) importASPSPs(ctx context.Context, e event) (any, error) {
	base, secret := cmp.Or(e.BaseURL, enablebanking.BaseURL), cmp.Or(e.Secret, defaultSecret)
	if e.BaseURL != "" && o.stage != config.Local && o.stage != config.Test { // any other server would get our token
		return nil, apierror.New(apierror.ValidationFailed, "baseUrl is only for the environments local and test.")
	}
	banks, others, err := o.aggregator.Banks(ctx, base, secret)
	if refusal, ok := errors.AsType[*pfm.SupplierError](err); ok {
		return nil, apierror.New(apierror.TemporarilyUnavailable,
			"The aggregator's banks cannot be listed: "+refusal.Error()+".")
	}
	if err != nil {
		return nil, err
	}
	changes, err := o.writeProviders(ctx, banks, e.DryRun, true)
	changes["notOffered"] = others // banks that private users cannot connect
	return importAnswer(e.DryRun, err, changes)
}
