package pfm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"aviso/internal/dynamo/outcome"
)

// ErrImportRunning is returned when another import writes providers at the same time.
var ErrImportRunning = errors.New("pfm: another import of providers is running; import again to write the rest")

// ProviderImport lists the IDs of the providers that an import has changed, or would
// change.
type ProviderImport struct {
	New, Changed []string
	// Retired are now Inactive, because they are no longer in the list.
	Retired   []string
	Unchanged int
}

// ImportProviders writes each provider that is new or differs from the stored one; with dryRun
// it writes nothing. A stored provider that is not in the list stays as it is; with
// retire, it becomes Inactive if it is Active. A list of banks that we call ourselves
// retires no bank of an aggregator, and the other way round. No provider is ever deleted,
// because connections refer to it. If an import is interrupted, the next one writes the rest.
// It returns ErrImportRunning if another import interferes.
func ImportProviders(
	ctx context.Context, store Store, list []Provider, dryRun, retire bool, progress func(done, total int),
) (ProviderImport, error) {
	stored, err := store.AllProviders(ctx)
	if err != nil {
		return ProviderImport{}, fmt.Errorf("read providers: %w", err)
	}
	known := make(map[string]Provider, len(stored))
	for _, p := range stored {
		known[p.ID] = p
	}
	var result ProviderImport
	var writes []Provider
	sources := map[string]bool{}
	byID := func(a, b Provider) int { return cmp.Compare(a.ID, b.ID) }
	for _, p := range slices.SortedFunc(slices.Values(list), byID) {
		sources[p.Endpoint.aggregator()] = true
		old, exists := known[p.ID]
		delete(known, p.ID)
		switch {
		case exists && sameProvider(old, p):
			result.Unchanged++
			continue
		case exists:
			result.Changed = append(result.Changed, p.ID)
		default:
			result.New = append(result.New, p.ID)
		}
		writes = append(writes, p)
	}
	for _, p := range stored {
		_, missing := known[p.ID]
		if missing && retire && p.Status == ProviderActive && sources[p.Endpoint.aggregator()] {
			p.Status = ProviderInactive
			result.Retired, writes = append(result.Retired, p.ID), append(writes, p)
		}
	}
	if dryRun {
		return result, nil
	}
	for done, p := range writes {
		if done%progressInterval == 0 {
			progress(done, len(writes))
		}
		err := store.PutProvider(ctx, p)
		if errors.Is(err, outcome.ErrChanged) {
			return result, ErrImportRunning
		}
		if err != nil {
			return result, fmt.Errorf("write provider %s: %w", p.ID, err)
		}
	}
	progress(len(writes), len(writes))
	return result, nil
}

// progressInterval is how many providers are written between two progress reports.
const progressInterval = 50

// sameProvider reports whether two providers are equal. A nil Meta equals an empty one.
func sameProvider(a, b Provider) bool {
	if len(a.Meta) == 0 && len(b.Meta) == 0 {
		a.Meta, b.Meta = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
