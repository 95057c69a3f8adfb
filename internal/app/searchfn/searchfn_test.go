package searchfn

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/cancellation/catalogue"
)

// slowSource is a catalogue that has a new version at each check, and takes a while
// to read.
type slowSource struct {
	looks int
	takes time.Duration
}

func (s *slowSource) CatalogueVersion(context.Context) (string, error) {
	s.looks++
	return string(rune('a' + s.looks)), nil
}

func (s *slowSource) Snapshot(ctx context.Context, version string) (catalogue.SearchIndex, error) {
	select {
	case <-time.After(s.takes):
		return onlyDocument{{Name: version}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// onlyDocument is an index that finds all its documents.
type onlyDocument []catalogue.SearchDocument

func (d onlyDocument) Search(string, catalogue.SearchFilter, int, string) (catalogue.SearchPage, error) {
	return catalogue.SearchPage{Organizations: d}, nil
}

// Lambda freezes the process between two invocations, so an invocation waits for the
// refresh that it has started.
func TestInvocationWaitsForItsRefresh(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes, waits time.Duration
		then         string
	}{
		"until a new catalogue is read": {300 * time.Millisecond, 300 * time.Millisecond, "c"},
		"one second at most":            {3 * time.Second, time.Second, "b"},
		"not at all without a refresh":  {0, 0, "c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				source := &slowSource{}
				search := catalogue.NewSearch(catalogue.SearchDeps{
					Source: source, Now: time.Now, Log: slog.New(slog.DiscardHandler),
				})
				require.NoError(t, search.Load(t.Context()))
				find := func(ctx context.Context) string {
					page, err := search.Search(ctx, "x", catalogue.SearchFilter{}, 1, "")
					require.NoError(t, err)
					return page.Organizations[0].Name
				}
				handler := settled{
					bootstrap.Handler[string, string](func(ctx context.Context, _ string) (string, error) { return find(ctx), nil }),
					search,
				}
				source.takes = test.takes
				time.Sleep(30 * time.Second)
				start := time.Now()
				out, err := handler.Invoke(t.Context(), []byte(`"q"`))
				require.NoError(t, err)
				assert.JSONEq(t, `"b"`, string(out), "the response itself did not wait")
				assert.Equal(t, test.waits, time.Since(start))
				assert.Equal(t, test.then, find(t.Context()))
				time.Sleep(5 * time.Second) // the refresh ends
			})
		})
	}
}
