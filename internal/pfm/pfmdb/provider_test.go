package pfmdb_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
	"aviso/localstack/tests/pfmtest"
)

func bank(id int, country, name string) pfm.Provider {
	p := pfmtest.Provider()
	p.ID, p.CountryCode, p.Name = pfmtest.ID(id), country, name
	return p
}

func (s *tables) put(providers ...pfm.Provider) {
	s.t.Helper()
	for _, p := range providers {
		require.NoError(s.t, s.PutProvider(s.t.Context(), p))
	}
}

// names lists the names of providers page by page.
func (s *tables) names(f pfm.ProviderFilter, limit int, between ...func()) []string {
	s.t.Helper()
	var names []string
	for position := ""; ; {
		page, next, err := s.Providers(s.t.Context(), f, limit, position)
		require.NoError(s.t, err)
		require.LessOrEqual(s.t, len(page), limit)
		for _, p := range page {
			names = append(names, p.Name)
		}
		if position = next; next == "" {
			return names
		}
		require.Len(s.t, page, limit, "every page but the last is full")
		for _, f := range between {
			f()
		}
	}
}

// A server belongs to another bank from the moment of the import on, and an aggregator's banks claim none.
func TestIsClaimed(t *testing.T) {
	s := newTables(t)
	other, through := bank(1, "DE", "A"), bank(2, "DE", "B")
	other.Endpoint = pfm.BankEndpoint{BaseURL: "https://a.example"}
	through.Endpoint = pfm.BankEndpoint{BaseURL: "https://b.example", ASPSP: pfm.ASPSP{Name: "B", Country: "DE", Secret: "s"}}
	s.put(other, through)
	isClaimed := func(address string) bool {
		to, err := url.Parse(address)
		require.NoError(t, err)
		claimed, err := s.IsClaimed(t.Context(), pfm.BankEndpoint{BaseURL: "https://c.example"}, []*url.URL{{}, to})
		require.NoError(t, err)
		return claimed
	}
	assert.True(t, isClaimed("https://a.example/token"))
	assert.False(t, isClaimed("https://b.example/token"))
	assert.False(t, isClaimed("https://login.example/token"))
	other.Endpoint.AuthorizationServers = []string{"https://login.example"}
	s.put(other)
	assert.True(t, isClaimed("https://login.example/token"))
}

func TestAllProvidersAreListedByName(t *testing.T) {
	s := newTables(t)
	none, err := s.AllProviders(t.Context())
	require.NoError(t, err)
	assert.Empty(t, none)
	s.put(bank(1, "DE", "Zeta Bank"), bank(2, "FR", "Alpha Banque"))
	all, err := s.AllProviders(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []pfm.Provider{bank(2, "FR", "Alpha Banque"), bank(1, "DE", "Zeta Bank")}, all)
}

func TestConcurrentPutsLeaveNoStaleRow(t *testing.T) {
	for name, before := range map[string][]pfm.Provider{"existing provider": {bank(1, "DE", "Old Name")}, "new provider": nil} {
		t.Run(name, func(t *testing.T) {
			s := newTables(t)
			s.put(before...)
			var group errgroup.Group
			for _, name := range []string{"One", "Two", "Three", "Four"} {
				group.Go(func() error {
					err := s.PutProvider(t.Context(), bank(1, "DE", name))
					if errors.Is(err, outcome.ErrChanged) {
						return nil
					}
					return err
				})
			}
			require.NoError(t, group.Wait())
			s.put(bank(1, "DE", "Last"))
			assert.Equal(t, []string{"Last"}, s.names(pfm.ProviderFilter{}, 10))
			countries, err := s.Countries(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []pfm.ProviderCountry{{Code: "DE", ProviderCount: 1}}, countries)
		})
	}
}

func TestProviders(t *testing.T) {
	s := newTables(t)
	s.put(
		bank(1, "DE", "Sparkasse Köln"), bank(2, "DE", "Kölner Bank"), bank(3, "FR", "Crédit du Midi"),
		bank(4, "AT", "Erste Sparkasse"), bank(5, "DE", "Bank Bankhaus Bankier"), bank(6, "DE", "Bankhaus Bank Banker"),
		bank(7, "FR", "Bank Banks Banka"), bank(8, "DE", "sparkasse köln"), bank(9, "FR", "Société Générale"),
		bank(10, "DE", "***"),
	)
	all := []string{
		"***", "Bank Bankhaus Bankier", "Bank Banks Banka", "Bankhaus Bank Banker", "Crédit du Midi", "Erste Sparkasse",
		"Kölner Bank", "Société Générale", "Sparkasse Köln", "sparkasse köln",
	}
	for _, tt := range []struct {
		name            string
		country, prefix string
		want            []string
	}{
		{"all, by name", "", "", all},
		{"of one country", "FR", "", []string{"Bank Banks Banka", "Crédit du Midi", "Société Générale"}},
		{"of a country without any", "IT", "", nil},
		{"by the first word", "", "spar", []string{"Erste Sparkasse", "Sparkasse Köln", "sparkasse köln"}},
		{"by a later word", "", "koln", []string{"Kölner Bank", "Sparkasse Köln", "sparkasse köln"}},
		{"by a word and the beginning of the next", "", "credit d", []string{"Crédit du Midi"}},
		{"by several words from the middle", "", "du mi", []string{"Crédit du Midi"}},
		{
			"once if several words match", "", "bank",
			[]string{"Bank Bankhaus Bankier", "Bank Banks Banka", "Bankhaus Bank Banker", "Kölner Bank"},
		},
		{"by a word in a country", "DE", "bank", []string{"Bank Bankhaus Bankier", "Bankhaus Bank Banker", "Kölner Bank"}},
		{"by the middle of a word", "", "kass", []string{"Erste Sparkasse", "Sparkasse Köln", "sparkasse köln"}},
		{"by the end of a word", "", "ral", []string{"Société Générale"}},
		{"by the end of a word and the beginning of the next", "FR", "it du", []string{"Crédit du Midi"}},
		{"not by a prefix longer than any name", "", strings.Repeat("x", 4000), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for limit := 1; limit <= 12; limit++ {
				got := s.names(pfm.ProviderFilter{CountryCode: tt.country, NamePart: tt.prefix}, limit)
				assert.True(t, slices.Equal(tt.want, got), "limit %d: in order: %v", limit, got)
			}
		})
	}
}

func TestProvidersByCode(t *testing.T) {
	s := newTables(t)
	coded := func(id int, country, name, bic, bankCode string) pfm.Provider {
		p := bank(id, country, name)
		p.Meta = map[string]string{"bic": bic, "bankCode": bankCode}
		return p
	}
	s.put(
		coded(1, "DE", "Zeta Bank", "NOLADE21XXX", "21050000"), coded(2, "DE", "Alpha Bank", "NOLADE21", "21050000,2105000A"),
		coded(3, "AT", "Beta Bank", "nolade21kie", "21050000"), coded(4, "DE", "Gamma Bank", "", ""), bank(5, "DE", "Delta"),
	)
	for _, tt := range []struct {
		name   string
		filter pfm.ProviderFilter
		want   []string
	}{
		{"by BIC, short or long", pfm.ProviderFilter{BIC: "NOLADE21"}, []string{"Alpha Bank", "Zeta Bank"}},
		{"by the BIC of a branch", pfm.ProviderFilter{BIC: "NOLADE21KIE"}, []string{"Beta Bank"}},
		{"not by a part of a BIC", pfm.ProviderFilter{BIC: "NOLADE2"}, nil},
		{"by bank code, in order of name", pfm.ProviderFilter{BankCode: "21050000"},
			[]string{"Alpha Bank", "Beta Bank", "Zeta Bank"}},
		{"by one of several bank codes", pfm.ProviderFilter{BankCode: "2105000A"}, []string{"Alpha Bank"}},
		{"in a country", pfm.ProviderFilter{BankCode: "21050000", CountryCode: "DE"}, []string{"Alpha Bank", "Zeta Bank"}},
		{"by both", pfm.ProviderFilter{BankCode: "2105000A", BIC: "NOLADE21"}, []string{"Alpha Bank"}},
		{"by both, of different banks", pfm.ProviderFilter{BankCode: "2105000A", BIC: "NOLADE21KIE"}, nil},
		{"and name", pfm.ProviderFilter{BankCode: "21050000", NamePart: "bank"},
			[]string{"Alpha Bank", "Beta Bank", "Zeta Bank"}},
		{"and another name", pfm.ProviderFilter{BankCode: "21050000", NamePart: "zeta"}, []string{"Zeta Bank"}},
		{"unknown", pfm.ProviderFilter{BankCode: "2105"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for limit := 1; limit <= 4; limit++ {
				assert.Equal(t, tt.want, s.names(tt.filter, limit), "limit %d", limit)
			}
		})
	}
	t.Run("not by a code that it has lost", func(t *testing.T) {
		s.put(coded(3, "AT", "Beta Bank", "NEWBATWW", ""))
		assert.Empty(t, s.names(pfm.ProviderFilter{BIC: "NOLADE21KIE"}, 10))
		assert.Empty(t, s.names(pfm.ProviderFilter{BankCode: "21050000", CountryCode: "AT"}, 10))
		assert.Equal(t, []string{"Beta Bank"}, s.names(pfm.ProviderFilter{BIC: "NEWBATWW"}, 10))
	})
}

func TestProvidersWhileOthersArrive(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 7} {
		t.Run(fmt.Sprintf("each is listed once in pages of %d", limit), func(t *testing.T) {
			s := newTables(t)
			var there []string
			for i := range 9 {
				p := bank(100+i, "DE", fmt.Sprintf("Bank %c", 'b'+i))
				there = append(there, p.Name)
				s.put(p)
			}
			n := 0
			got := s.names(pfm.ProviderFilter{CountryCode: "DE", NamePart: "bank"}, limit, func() {
				if n++; n < 5 { // one before and one after all those listed
					s.put(bank(200+n, "DE", fmt.Sprintf("Bank a%d", n)), bank(300+n, "DE", fmt.Sprintf("Bank z%d", n)))
				}
			})
			seen := map[string]int{}
			for _, name := range got {
				seen[name]++
				assert.Equal(t, 1, seen[name], name)
			}
			for _, name := range there {
				assert.Contains(t, seen, name)
			}
		})
	}
}

func TestProvidersAreFoundInAnySpelling(t *testing.T) {
	s := newTables(t)
	s.put(
		bank(1, "DE", "Bank der Töchter"), bank(2, "DE", "Goethe Bank"), bank(3, "NO", "Ålesund Sparebank"),
		bank(4, "NL", "Haarlem Bank"), bank(5, "DE", "Dörfer Haase Ökobank"), bank(6, "DE", "Tor Bank"),
		bank(7, "DE", "Bodensee Bank"), bank(8, "DK", "Præstø Sparekasse"),
	)
	for want, filters := range map[string]string{
		"Bank der Töchter": "toechter töchter tochter TOECHT toe", "Goethe Bank": "goethe göthe gothe goeth goe",
		"Ålesund Sparebank": "aalesund ålesund alesund aale", "Haarlem Bank": "haarlem harlem hårlem",
		"Dörfer Haase Ökobank": "dörfer+hase doerfer+haase+oek dorfer+hase haase+oeko oekobank ökobank",
		"Præstø Sparekasse":    "praestoe præstø praesto prasto",
	} {
		for filter := range strings.FieldsSeq(filters) {
			t.Run(filter, func(t *testing.T) {
				prefix := textfold.Name(strings.ReplaceAll(filter, "+", " "))
				for _, limit := range []int{1, 10} {
					assert.Contains(t, s.names(pfm.ProviderFilter{NamePart: prefix}, limit), want)
				}
				assert.NotContains(t, s.names(pfm.ProviderFilter{NamePart: prefix}, 10), "Bodensee Bank")
			})
		}
	}
	assert.Equal(t, []string{"Goethe Bank"}, s.names(pfm.ProviderFilter{NamePart: "goethe"}, 1), "once, despite two forms")
}

func TestPutProvider(t *testing.T) {
	countries := func(s *tables) []pfm.ProviderCountry {
		list, err := s.Countries(t.Context())
		require.NoError(t, err)
		return list
	}

	t.Run("updates the counts per country", func(t *testing.T) {
		s := newTables(t)
		assert.Empty(t, countries(s))
		s.put(bank(1, "DE", "One"), bank(2, "DE", "Two"), bank(3, "AT", "Three"))
		assert.Equal(t, []pfm.ProviderCountry{{Code: "AT", ProviderCount: 1}, {Code: "DE", ProviderCount: 2}}, countries(s))
		s.put(bank(1, "DE", "One anew"))
		assert.Equal(
			t, []pfm.ProviderCountry{{Code: "AT", ProviderCount: 1}, {Code: "DE", ProviderCount: 2}}, countries(s),
			"replacing a provider does not change the count",
		)
		s.put(bank(3, "DE", "Three"))
		assert.Equal(t, []pfm.ProviderCountry{{Code: "DE", ProviderCount: 3}}, countries(s), "a country without providers is not listed")
		s.put(bank(3, "AT", "Three"))
		assert.Equal(t, []pfm.ProviderCountry{{Code: "AT", ProviderCount: 1}, {Code: "DE", ProviderCount: 2}}, countries(s))
	})

	t.Run("removes the previous name and country", func(t *testing.T) {
		s := newTables(t)
		s.put(bank(1, "DE", "Alte Sparkasse Köln"))
		s.put(bank(1, "AT", "Neue Bank Köln"))
		for _, f := range []pfm.ProviderFilter{
			{CountryCode: "DE"}, {NamePart: "alte"}, {NamePart: "sparkasse"},
			{CountryCode: "DE", NamePart: "koln"},
		} {
			assert.Empty(t, s.names(f, 10))
		}
		for _, f := range []pfm.ProviderFilter{
			{}, {CountryCode: "AT"}, {NamePart: "neue"}, {NamePart: "bank"},
			{CountryCode: "AT", NamePart: "koln"},
		} {
			assert.Equal(t, []string{"Neue Bank Köln"}, s.names(f, 10))
		}
	})

	t.Run("changes what the lists show", func(t *testing.T) {
		s := newTables(t)
		p := bank(1, "DE", "One")
		s.put(p)
		p.Status = pfm.ProviderDisabled
		s.put(p)
		page, _, err := s.Providers(t.Context(), pfm.ProviderFilter{NamePart: "one"}, 10, "")
		require.NoError(t, err)
		assert.Equal(t, []pfm.Provider{p}, page)
		got, err := s.Provider(t.Context(), p.ID)
		require.NoError(t, err)
		assert.Equal(t, p, got)
		_, err = s.Provider(t.Context(), pfmtest.ID(2))
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("rejects a name that does not fit into a key", func(t *testing.T) {
		s := newTables(t)
		require.Error(t, s.PutProvider(t.Context(), bank(1, "DE", strings.Repeat("x", 600))))
		assert.Empty(t, countries(s))
	})
}

func TestOutage(t *testing.T) {
	s, at := newTables(t), time.Date(2026, 3, 2, 12, 0, 0, 1e6, time.UTC)
	is := func(want time.Time) {
		t.Helper()
		got, err := s.Outage(t.Context(), "bank")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	is(time.Time{})
	require.NoError(t, s.SetOutage(t.Context(), "bank", time.Time{}, at))
	is(at)
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", time.Time{}, at), outcome.ErrChanged, "one of several begins it")
	next := at.Add(time.Minute)
	require.NoError(t, s.SetOutage(t.Context(), "bank", at, next))
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", at, next), outcome.ErrChanged, "one of several probes")
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", at, time.Time{}), outcome.ErrChanged, "a late probe ends nothing")
	is(next)
	require.NoError(t, s.SetOutage(t.Context(), "bank", next, time.Time{}))
	is(time.Time{})
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", next, time.Time{}), outcome.ErrChanged)
	is(time.Time{})
}
