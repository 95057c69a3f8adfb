package pfm_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/localstack/tests/pfmtest"
)

// shelf is an in-memory store of providers, which fails after a number of writes.
type shelf struct {
	pfm.Store
	rows   map[string]pfm.Provider
	writes int
	failAt int
	err    error
}

func (s *shelf) AllProviders(context.Context) ([]pfm.Provider, error) {
	return slices.Collect(maps.Values(s.rows)), nil
}

func (s *shelf) PutProvider(_ context.Context, p pfm.Provider) error {
	if s.err != nil && s.writes == s.failAt {
		return s.err
	}
	s.writes++
	s.rows[p.ID] = p
	return nil
}

func provider(id int, status pfm.ProviderStatus) pfm.Provider {
	p := pfmtest.Provider()
	p.ID, p.Status = pfmtest.ID(id), status
	return p
}

func newShelf(rows ...pfm.Provider) *shelf {
	s := &shelf{rows: map[string]pfm.Provider{}}
	for _, p := range rows {
		s.rows[p.ID] = p
	}
	return s
}

func (s *shelf) load(t *testing.T, list []pfm.Provider, dryRun, retire bool) pfm.ProviderImport {
	t.Helper()
	result, err := pfm.ImportProviders(t.Context(), s, list, dryRun, retire, func(int, int) {})
	require.NoError(t, err)
	return result
}

func TestProviderImport(t *testing.T) {
	t.Run("writes what differs, and returns it", func(t *testing.T) {
		changed, same := provider(1, pfm.ProviderActive), provider(2, pfm.ProviderActive)
		s := newShelf(changed, same)
		changed.Endpoint.BaseURL = "https://elsewhere.example"
		same.Meta = map[string]string{} // equal to nil
		list := []pfm.Provider{provider(3, pfm.ProviderActive), same, changed}
		want := pfm.ProviderImport{New: []string{pfmtest.ID(3)}, Changed: []string{pfmtest.ID(1)}, Unchanged: 1}

		assert.Equal(t, want, s.load(t, list, true, false))
		assert.Zero(t, s.writes, "it was a dry run")
		assert.Equal(t, want, s.load(t, list, false, false))
		assert.Equal(t, 2, s.writes)
		assert.Equal(t, changed, s.rows[changed.ID])
		assert.Equal(t, pfm.ProviderImport{Unchanged: 3}, s.load(t, list, false, false))
		assert.Equal(t, 2, s.writes, "the same list again writes nothing")
	})

	t.Run("keeps providers that are not in the list, or retires them", func(t *testing.T) {
		gone, off, disabled := provider(1, pfm.ProviderActive), provider(2, pfm.ProviderInactive), provider(3, pfm.ProviderDisabled)
		s := newShelf(gone, off, disabled)
		list := []pfm.Provider{provider(4, pfm.ProviderActive)}
		s.load(t, list, false, false)
		assert.Equal(t, pfm.ProviderActive, s.rows[gone.ID].Status)
		assert.Equal(t, pfm.ProviderImport{Retired: []string{gone.ID}, Unchanged: 1}, s.load(t, list, false, true))
		assert.Equal(t, pfm.ProviderInactive, s.rows[gone.ID].Status)
		assert.Equal(t, off, s.rows[off.ID])
		assert.Equal(t, disabled, s.rows[disabled.ID], "a Disabled provider stays Disabled")
		assert.Equal(t, pfm.ProviderImport{Unchanged: 1}, s.load(t, list, false, true))
	})

	t.Run("retires only banks that are read in the same way", func(t *testing.T) {
		through := func(id int, aggregator string) pfm.Provider {
			p := provider(id, pfm.ProviderActive)
			p.Endpoint = pfm.BankEndpoint{BaseURL: aggregator, ASPSP: pfm.ASPSP{Name: "A", Country: "DE", Secret: "s"}}
			return p
		}
		own, listed, gone := provider(1, pfm.ProviderActive), through(2, "https://a"), through(3, "https://a")
		elsewhere := through(4, "https://b")
		s := newShelf(own, listed, gone, elsewhere)
		assert.Equal(t, pfm.ProviderImport{Retired: []string{gone.ID}, Unchanged: 1},
			s.load(t, []pfm.Provider{listed}, false, true))
		assert.Equal(t, pfm.ProviderImport{Unchanged: 1}, s.load(t, []pfm.Provider{own}, false, true))
	})

	t.Run("refuses a list in which a bank has another's authorization server", func(t *testing.T) {
		old, other := provider(1, pfm.ProviderActive), provider(2, pfm.ProviderActive)
		old.Endpoint.AuthorizationServers = []string{"https://login.bank.example"}
		other.Endpoint = pfm.BankEndpoint{BaseURL: "https://other.example", AuthorizationServers: []string{"https://login.bank.example/x"}}
		s := newShelf(old)
		_, err := pfm.ImportProviders(t.Context(), s, []pfm.Provider{other}, true, false, func(int, int) {})
		assert.True(t, apierror.Is(err, apierror.Conflict), err)
		moved := old
		moved.Endpoint.AuthorizationServers = nil
		assert.Len(t, s.load(t, []pfm.Provider{other, moved}, false, false).Changed, 1, "the list moves it")
	})

	t.Run("reports its progress", func(t *testing.T) {
		var list []pfm.Provider
		for id := range 120 {
			list = append(list, provider(id, pfm.ProviderActive))
		}
		var heard [][2]int
		_, err := pfm.ImportProviders(
			t.Context(), newShelf(), list, false, false,
			func(done, total int) { heard = append(heard, [2]int{done, total}) },
		)
		require.NoError(t, err)
		assert.Equal(t, [][2]int{{0, 120}, {50, 120}, {100, 120}, {120, 120}}, heard)
	})

	t.Run("continues an interrupted import", func(t *testing.T) {
		list := []pfm.Provider{provider(1, pfm.ProviderActive), provider(2, pfm.ProviderActive)}
		for err, want := range map[error]error{errShelf: errShelf, outcome.ErrChanged: pfm.ErrImportRunning} {
			s := newShelf()
			s.failAt, s.err = 1, err
			_, got := pfm.ImportProviders(t.Context(), s, list, false, false, func(int, int) {})
			require.ErrorIs(t, got, want)
			s.err = nil
			assert.Equal(t, pfm.ProviderImport{New: []string{pfmtest.ID(2)}, Unchanged: 1}, s.load(t, list, false, false))
		}
	})
}

var errShelf = errors.New("the shelf broke")
