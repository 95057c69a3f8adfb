package fulltext_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/textfold"
)

var (
	legalForm = regexp.MustCompile(`,? (GmbH|AG|SE|S\.A\.|S\.p\.A\.|N\.V\.|B\.V\.|AB|AS|A/S|Oyj|plc|Limited|Ltd|e\.V\.|eG|` +
		`Inc\.|a\.s\.|Sp\. z o\.o\.|GmbH [&+] Co\. KG)$`)
	digitBorder = regexp.MustCompile(`(\pL)(\d)|(\d)(\pL)`)
	camelBorder = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	ampersand   = regexp.MustCompile(`\s*&\s*`)
	sign        = regexp.MustCompile(`[^\pL\pN\s]`)
	accents     = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U", "ø", "o", "Ø", "O", "ß", "ss")
	german      = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ø", "oe", "Ø", "Oe")
)

// written returns how people write a name, by the way in which it differs.
func written(name string) map[string]string {
	short := legalForm.ReplaceAllString(name, "")
	ways := map[string]string{
		"in lower case": strings.ToLower(name), "in upper case": strings.ToUpper(name),
		"without the legal form": short, "with another legal form": short + " ltd",
		"without umlauts": accents.Replace(short), "with two letters for an umlaut": german.Replace(short),
		"without accents": textfold.Name(short), "decomposed": norm.NFD.String(name),
		"a space for each sign": sign.ReplaceAllString(short, " "), "without signs": sign.ReplaceAllString(short, ""),
		"with a curly apostrophe": strings.ReplaceAll(short, "'", "’"),
		"digits apart":            digitBorder.ReplaceAllString(short, "$1$3 $2$4"),
		"capitals apart":          camelBorder.ReplaceAllString(short, "$1 $2"),
		"with no-break spaces":    strings.ReplaceAll(name, " ", "\u00a0"),
		"with another hyphen":     strings.ReplaceAll(name, "-", "\u2011"),
	}
	if at := len([]rune(short)) / 2; at > 2 {
		ways["with a soft hyphen"] = string([]rune(short)[:at]) + "\u00ad" + string([]rune(short)[at:])
	}
	if len(strings.Fields(short)) <= 3 {
		ways["in one word"] = strings.ToLower(strings.ReplaceAll(short, " ", ""))
		ways["in one word without signs"] = strings.ToLower(strings.Join(strings.Fields(sign.ReplaceAllString(short, "")), ""))
	}
	if strings.Contains(short, "&") {
		for _, and := range []string{"und", "and", "et", "u", "y", "+"} {
			ways["apart with "+and] = ampersand.ReplaceAllString(short, " "+and+" ")
			ways["glued with "+and] = ampersand.ReplaceAllString(short, and)
		}
		ways["with spaces around"] = ampersand.ReplaceAllString(short, " & ")
		ways["with no space around"] = ampersand.ReplaceAllString(short, "&")
	}
	return ways
}

// realNames returns real names, and an index that has them among 3,000 others.
func realNames(t *testing.T) (known []string, index *fulltext.Index) {
	t.Helper()
	file, err := os.ReadFile("testdata/realnames.txt")
	require.NoError(t, err)
	known = strings.Split(strings.TrimSpace(string(file)), "\n")
	require.Greater(t, len(known), 200)
	documents, _ := randomCatalogue(seeded(5), 3000)
	for i, name := range known {
		id := catalogue.OrganizationID(fmt.Sprint("real", i))
		documents = append(documents, catalogue.SearchDocument{
			Kind: catalogue.SearchOrganization, ID: id, OrganizationID: id, CategoryID: documents[i].CategoryID,
			Name: name, OrganizationName: name, Locales: []cancellation.Locale{"de_DE"},
		})
	}
	index, err = fulltext.Open(string(fulltext.Encode(documents)))
	require.NoError(t, err)
	return known, index
}

// The names are real, and people write them in many ways. The first hit must be the right one.
func TestNamesAsPeopleWriteThem(t *testing.T) {
	known, index := realNames(t)
	asked, right := 0, 0
	var wrong []string
	for _, name := range known {
		for way, query := range written(name) {
			page, err := index.Search(query, catalogue.SearchFilter{}, 3, "")
			require.NoError(t, err)
			asked++
			if len(page.Organizations) > 0 && page.Organizations[0].Name == name {
				right++
				continue
			}
			found := ""
			for _, d := range page.Organizations {
				found += " · " + d.Name
			}
			wrong = append(wrong, fmt.Sprintf("%s, %s: %q%s", name, way, query, found))
		}
	}
	slices.Sort(wrong)
	t.Logf("first hit right: %d of %d (%.1f %%)\n%s", right, asked, 100*float64(right)/float64(asked), strings.Join(wrong, "\n"))
	assert.Greater(t, float64(right), 0.97*float64(asked))
}
