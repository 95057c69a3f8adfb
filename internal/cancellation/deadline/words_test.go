package deadline

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// languages returns the languages of the texts.
func languages() []string {
	var all map[string]words
	if err := json.Unmarshal(wordsFile, &all); err != nil {
		panic(err)
	}
	return slices.Sorted(maps.Keys(all))
}

func TestEveryLanguageHasEveryText(t *testing.T) {
	t.Parallel()
	placeholders := regexp.MustCompile(`\{[a-zA-Z]+\}`)
	sorted := func(s string) []string { return slices.Sorted(slices.Values(placeholders.FindAllString(s, -1))) }
	english := wordsIn("en")
	assert.Equal(t, []string{"cs", "da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv"}, languages())
	for _, language := range languages() {
		w := wordsIn(language)
		for name, text := range english.Texts {
			assert.NotEmpty(t, w.Texts[name], "%s in %s", name, language)
			assert.Equal(t, sorted(text), sorted(w.Texts[name]), "%s in %s", name, language)
		}
		assert.Len(t, w.Texts, len(english.Texts), language)
		assert.Len(t, w.EndOf, 8, language)
		assert.Len(t, w.Channels, 4, language)
		assert.Len(t, w.Units, 5, language)
		assert.Contains(t, w.text(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)), "2026", language)
	}
	assert.Equal(t, english, wordsIn("xx"), "English for a language without texts")
}

func TestSourcesNameTheTextsThatThereAre(t *testing.T) {
	t.Parallel()
	named := map[message]bool{}
	name := regexp.MustCompile(`(?m)(?:"|note: |onlyIf: )((?:step|form|note|rise|missing)[A-Z]\w*)`)
	for _, pattern := range []string{"[a-v]*.go", "withdrawal.go", "law/??.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range name.FindAllSubmatch(text, -1) {
				named[message(m[1])] = true
			}
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(wordsIn("en").Texts)), slices.Sorted(maps.Keys(named)))
}

func TestNumbersHaveTheirForms(t *testing.T) {
	t.Parallel()
	for language, forms := range map[string][]string{
		"en": {"1 month", "2 months", "24 months"},
		"pl": {"1 miesiąc", "2 miesiące", "5 miesięcy", "12 miesięcy", "24 miesiące"},
		"cs": {"1 měsíc", "4 měsíce", "5 měsíců", "24 měsíců"},
		"nl": {"1 maand", "3 maanden"},
	} {
		for _, form := range forms {
			n, _, _ := strings.Cut(form, " ")
			assert.Equal(t, form, wordsIn(language).text(Period("P"+n+"M")))
		}
	}
	assert.Equal(t, "keine", wordsIn("de").text(Period("")))
}

func TestTodayIsTheDayWhereTheRecipientIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now, country string
		want         Date
		why          string
	}{
		{"2026-11-22T23:30:00Z", "DE", "2026-11-23", "an hour ahead in winter"},
		{"2026-11-22T22:59:59Z", "DE", "2026-11-22", "a second before midnight"},
		{"2026-07-01T22:00:00Z", "DE", "2026-07-02", "two hours ahead in summer"},
		{"2026-07-01T22:00:00Z", "GB", "2026-07-01", "one hour ahead in summer"},
		{"2026-11-22T22:00:00Z", "FI", "2026-11-23", "two hours ahead in winter"},
		{"2026-03-28T23:00:00Z", "FR", "2026-03-29", "the night to summer time"},
		{"2026-07-01T23:30:00Z", "IS", "2026-07-01", "Iceland has no summer time"},
		{"2026-07-01T23:30:00Z", "US", "2026-07-01", "UTC elsewhere"},
		{"2028-02-28T23:00:00Z", "IT", "2028-02-29", "a leap day"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		require.NoError(t, err)
		assert.Equal(t, c.want, Today(now, c.country), c.why)
	}
}
