package enrich

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestCompiledRulesAreUpToDate(t *testing.T) {
	want, err := Compile(os.DirFS("."))
	require.NoError(t, err)
	if string(want) != compiled {
		t.Error("data/rules.bin is out of date: run make rules")
	}
}

func TestCompiledRulesEqualLoadedRules(t *testing.T) {
	l, err := load(os.DirFS("."))
	require.NoError(t, err)
	e, err := New()
	require.NoError(t, err)

	for word, want := range l.book.heads {
		got, ok := e.rules.head([]byte(word))
		require.True(t, ok, word)
		requireEntry(t, want, e, got)
	}
	_, ok := e.rules.head([]byte("nosuchword"))
	assert.False(t, ok)
	requireStems(t, e, sectionPrefixes, &l.book.prefixes)
	requireStems(t, e, sectionSuffixes, &l.book.suffixes)

	for id, want := range l.merchants {
		m := e.merchant(uint32(id))
		require.Equal(t, want.countries, m.countries, want.slug)
		require.Equal(t, Result{
			Category:     l.categories[want.category],
			Source:       pfm.SourceMerchant,
			RuleID:       "merchant:" + want.slug,
			Organization: want.organization,
			Merchant:     pfm.Merchant{ID: pfm.MerchantID(want.slug), Name: want.name},
		}, e.merchantResult(&m))
	}
	for id, want := range l.keywords {
		k := e.keyword(uint32(id))
		require.Equal(t, want.sign, k.sign, want.rule)
		require.Equal(t, want.trade, k.trade, want.rule)
		require.Equal(t, want.languages, k.languages, want.rule)
		require.Equal(t, Result{Category: l.categories[want.category], Source: pfm.SourceKeyword, RuleID: want.rule}, e.keywordResult(&k))
	}
	assert.Equal(t, l.countries, e.countries)
	assert.Equal(t, l.languages, e.rules.readSet(sectionLanguages))
}

func requireEntry(t *testing.T, want *entry, e *Engine, got head) {
	t.Helper()
	require.Equal(t, want.flags, got.flags)
	require.Equal(t, len(want.phrases), got.to-got.from)
	for i, w := range want.phrases {
		p := e.rules.phrase(got.from + i)
		require.Equal(t, strings.Join(w.rest, " "), p.rest)
		require.Equal(t, known{kind: w.kind, letters: w.letters, id: w.id}, known{kind: p.kind, letters: p.letters, id: p.id})
	}
}

func requireStems(t *testing.T, e *Engine, section int, s *stems) {
	t.Helper()
	seen := 0
	var walk func(want int32, node int)
	walk = func(want int32, node int) {
		seen++
		h, ok := e.rules.stem(section, node)
		require.Equal(t, s.heads[want] != nil, ok)
		if ok {
			requireEntry(t, s.heads[want], e, h)
		}
		for letter, next := range s.nodes[want].next {
			child := e.rules.child(section, node, 'a'+byte(letter))
			require.Equal(t, next != 0, child != 0)
			if child != 0 {
				walk(int32(next), child)
			}
		}
	}
	walk(0, 0)
	require.Len(t, s.nodes, seen)
}

func TestRejectsCorruptRules(t *testing.T) {
	for name, rules := range map[string]string{
		"empty":     "",
		"truncated": compiled[:len(compiled)-1],
		"too long":  compiled + "x",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newEngine(rules)
			assert.ErrorIs(t, err, errCorrupt)
		})
	}
}

func TestCompileRejectsOversizedText(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"codes", "keywords", "lexicon", "mcc", "merchants", "trades"} {
		text, err := os.ReadFile("data/" + name + ".csv")
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(text), "\n")
		files["data/"+name+".csv"] = &fstest.MapFile{Data: []byte(head + "\n")}
	}
	_, err := Compile(files)
	require.NoError(t, err, "files without rows")

	files["data/merchants.csv"].Data = append(files["data/merchants.csv"].Data, "a,"+strings.Repeat("a", 300)+",521,DE,,\n"...)
	_, err = Compile(files)
	assert.Error(t, err)
}
