package pfm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"aviso/internal/outcome"
)

// ErrImportRunning says that somebody else writes providers at the same time.
var ErrImportRunning = errors.New("pfm: another import of providers is running; what it leaves, the next one writes")

// ProviderImport says what an import has changed, or would change, by ids.
type ProviderImport struct {
	New, Changed []string
	// Retired have been made Inactive, since the import had them no more.
	Retired   []string
	Unchanged int
}

// ProviderImporter brings the stored providers to the state of a list.
type ProviderImporter struct{ store Store }

// NewProviderImporter writes to store.
func NewProviderImporter(store Store) *ProviderImporter {
	return &ProviderImporter{store: store}
}

// Import writes each provider that is not stored as it stands in the list, and
// nothing when it is only tried. One that is stored and not in the list stays as
// it is; with retire, one that is Active becomes Inactive. None is ever deleted:
// connections point to it. What an import breaks off at, the next one goes on
// with. ErrImportRunning when another comes between.
func (i *ProviderImporter) Import(ctx context.Context, list []Provider, dryRun, retire bool, progress func(done, total int)) (ProviderImport, error) {
	stored, err := i.store.AllProviders(ctx)
	if err != nil {
		return ProviderImport{}, fmt.Errorf("read providers: %w", err)
	}
	known := make(map[string]Provider, len(stored))
	for _, p := range stored {
		known[p.ID] = p
	}
	var result ProviderImport
	var writes []Provider
	for _, p := range slices.SortedFunc(slices.Values(list), func(a, b Provider) int { return cmp.Compare(a.ID, b.ID) }) {
		was, there := known[p.ID]
		delete(known, p.ID)
		switch {
		case there && sameProvider(was, p):
			result.Unchanged++
			continue
		case there:
			result.Changed = append(result.Changed, p.ID)
		default:
			result.New = append(result.New, p.ID)
		}
		writes = append(writes, p)
	}
	for _, p := range stored {
		if _, missing := known[p.ID]; missing && retire && p.Status == ProviderActive {
			p.Status = ProviderInactive
			result.Retired, writes = append(result.Retired, p.ID), append(writes, p)
		}
	}
	if dryRun {
		return result, nil
	}
	return result, i.write(ctx, writes, progress)
}

// progressEach is how many providers are written between two reports.
const progressEach = 50

func (i *ProviderImporter) write(ctx context.Context, writes []Provider, progress func(done, total int)) error {
	for done, p := range writes {
		if done%progressEach == 0 {
			progress(done, len(writes))
		}
		err := i.store.PutProvider(ctx, p)
		if errors.Is(err, outcome.ErrChanged) {
			return ErrImportRunning
		}
		if err != nil {
			return fmt.Errorf("write provider %s: %w", p.ID, err)
		}
	}
	progress(len(writes), len(writes))
	return nil
}

// sameProvider compares all that is stored; no further text is the same as an
// empty one.
func sameProvider(a, b Provider) bool {
	if len(a.Meta) == 0 && len(b.Meta) == 0 {
		a.Meta, b.Meta = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
