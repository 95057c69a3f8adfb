package cataloguefile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/jsonlines"
)

const (
	categoryLine     = `{"category":{"slug":"streaming","names":{"en":"Streaming","de":"Streamingdienste"}}}`
	organizationLine = `{"organization":{"slug":"vidorama","category":"streaming","name":"Vidorama","extraConsent":false,"url":"https://vidorama.example","locales":["de-DE","en-GB"],"inactive":false,"products":[` + productText + `]}}`
	productText      = `{"slug":"abo","name":"Vidorama Abo","locales":["de-DE","en-GB"],"form":"Text","inactive":false,"channels":[` + channelsText + `],"fields":[` + fieldsText + `]}`
	channelsText     = `{"kind":"Email","email":"kuendigung@vidorama.example"},` + mailText + `,{"kind":"Fax","fax":"+4922155500123"}`
	mailText         = `{"kind":"Mail","address":{"recipient":["Vidorama GmbH","Kundenservice"],"street":"Lichtspielweg 4","postalCode":"50667","city":"Köln","countryCode":"DE"}}`
	fieldsText       = `"NAME","ADDRESS","ZIP","CITY","EMAIL",` + ownField
	ownField         = `{"key":"SCREEN_NAME","format":"^[a-z]{3,20}$","labels":{"de-DE":"Anzeigename","en-GB":"Screen name"}}`
)

func parse(text string) (cancellation.Edition, error) {
	return cataloguefile.Parse(strings.NewReader(text), letter.New())
}

// problems are those for which a file is refused.
func problems(t *testing.T, text string) []jsonlines.Problem {
	t.Helper()
	edition, err := parse(text)
	if err == nil {
		return nil
	}
	var invalid *jsonlines.Invalid
	require.ErrorAs(t, err, &invalid)
	assert.Empty(t, edition)
	return invalid.Problems
}

func compress(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func wantEdition() cancellation.Edition {
	return cancellation.Edition{
		Categories: []cancellation.Category{
			{
				ID:    cancellation.CategoryID("streaming"),
				Slug:  "streaming",
				Names: map[string]string{"en": "Streaming", "de": "Streamingdienste"},
			},
		},
		Entries: []cancellation.Entry{{
			Organization: cancellation.Organization{
				ID: cancellation.OrganizationID(
					"vidorama",
				),
				Slug:       "vidorama",
				CategoryID: cancellation.CategoryID("streaming"),
				Name:       "Vidorama",
				URL:        "https://vidorama.example",
				Locales:    []cancellation.Locale{"de-DE", "en-GB"},
			},
			Products: []cancellation.Product{
				{
					ID: cancellation.ProductID(
						"vidorama",
						"abo",
					),
					Slug:           "abo",
					OrganizationID: cancellation.OrganizationID("vidorama"),
					Name:           "Vidorama Abo",
					Locales:        []cancellation.Locale{"de-DE", "en-GB"},
					Form:           cancellation.FormText,
					Channels: []cancellation.Channel{
						{Kind: cancellation.ChannelEmail, Email: "kuendigung@vidorama.example"},
						{Kind: cancellation.ChannelMail, Address: cancellation.PostalAddress{
							Recipient: []string{
								"Vidorama GmbH",
								"Kundenservice",
							},
							Street:      "Lichtspielweg 4",
							PostalCode:  "50667",
							City:        "Köln",
							CountryCode: "DE",
						}},
						{Kind: cancellation.ChannelFax, Fax: "+4922155500123"},
					},
					Fields: []cancellation.Field{
						{Key: "NAME", Labels: map[cancellation.Locale]string{"de-DE": "Name", "en-GB": "Name"}},
						{
							Key:    "ADDRESS",
							Labels: map[cancellation.Locale]string{"de-DE": "Straße und Hausnummer", "en-GB": "Street and house number"},
						},
						{
							Key:    "ZIP",
							Labels: map[cancellation.Locale]string{"de-DE": "Postleitzahl", "en-GB": "Postcode"},
							Format: "^[a-zA-Z0-9 ]{1,20}$",
						},
						{Key: "CITY", Labels: map[cancellation.Locale]string{"de-DE": "Ort", "en-GB": "Town or city"}},
						{
							Key:    "EMAIL",
							Labels: map[cancellation.Locale]string{"de-DE": "E-Mail-Adresse", "en-GB": "E-mail address"},
							Format: cataloguefile.StandardFormat("EMAIL"),
						},
						{
							Key:    "SCREEN_NAME",
							Labels: map[cancellation.Locale]string{"de-DE": "Anzeigename", "en-GB": "Screen name"},
							Format: "^[a-z]{3,20}$",
						},
					},
				},
			},
		}},
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	text := categoryLine + "\n" + organizationLine + "\n"
	for name, text := range map[string]string{
		"of one object a line":               text,
		"without an end of the last line":    strings.TrimSuffix(text, "\n"),
		"with ends of lines as on Windows":   strings.ReplaceAll(text, "\n", "\r\n"),
		"with blank lines":                   "\n" + strings.ReplaceAll(text, "\n", "\n \t\n"),
		"with categories at the end":         organizationLine + "\n" + categoryLine,
		"without what is optional":           strings.NewReplacer(`"extraConsent":false,`, "", `"inactive":false,`, "").Replace(text),
		"compressed":                         string(compress(t, text)),
		"compressed in several parts":        string(compress(t, categoryLine+"\n")) + string(compress(t, organizationLine)),
		"with labels of other locales, too":  strings.Replace(text, `"en-GB":"Screen name"`, `"en-GB":"Screen name","fr-FR":"Pseudonyme"`, 1),
		"with another order of its members":  strings.Replace(text, `"slug":"abo","name":"Vidorama Abo"`, `"name":"Vidorama Abo","slug":"abo"`, 1),
		"with letters written as references": strings.Replace(text, "Köln", `K\u00f6ln`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edition, err := parse(text)
			require.NoError(t, err)
			assert.Equal(t, wantEdition(), edition)
		})
	}

	t.Run("keeps what an organization and its products say of themselves", func(t *testing.T) {
		t.Parallel()
		text := strings.NewReplacer(
			`"extraConsent":false`,
			`"extraConsent":true`,
			`"inactive":false`,
			`"inactive":true`,
			`"https://vidorama.example"`,
			`""`,
			`"form":"Text"`,
			`"form":"Written"`,
			`{"kind":"Email","email":"kuendigung@vidorama.example"},`,
			"",
			`,{"kind":"Fax","fax":"+4922155500123"}`,
			"",
			`"street":"Lichtspielweg 4",`,
			"",
		).Replace(
			text,
		)
		edition, err := parse(text)
		require.NoError(t, err)
		e := edition.Entries[0]
		assert.True(t, e.Organization.ExtraConsent)
		assert.True(t, e.Organization.Inactive)
		assert.Empty(t, e.Organization.URL)
		assert.True(t, e.Products[0].Inactive)
		assert.Equal(t, cancellation.FormWritten, e.Products[0].Form)
		assert.Empty(t, e.Products[0].Address().Street)
	})
}

func TestParseRefusesFilesAsAWhole(t *testing.T) {
	t.Parallel()
	whole := func(text string) []jsonlines.Problem { return []jsonlines.Problem{{Text: text}} }
	long := strings.Repeat("x", jsonlines.MaxLine)
	for _, tt := range []struct {
		name, text string
		want       []jsonlines.Problem
	}{
		{"that are empty", "", whole("the file must contain at least one organization")},
		{"that hold categories only", categoryLine, whole("the file must contain at least one organization")},
		{"whose compression ends too early", string(compress(t, organizationLine)[:60]), []jsonlines.Problem{{Line: 1, Text: "the gzip compression is damaged"}}},
		{"whose compression is broken at once", "\x1f\x8b\x08", whole("the gzip compression is damaged")},
		{"whose compression makes no sense", string(compress(t, categoryLine)[:12]) + "\xff\xff\xff\xff\xff\xff", []jsonlines.Problem{{Line: 1, Text: "the gzip compression is damaged"}}},
		{"that are small only when compressed", string(compress(t, strings.Repeat(strings.Repeat(" ", 1023)+"\n", cataloguefile.MaxMB*1024+1))), whole("the file must not be larger than 64 MB")},
		{"with a line that is too long", categoryLine + "\n\"" + long + "\"\n" + organizationLine, []jsonlines.Problem{{Line: 2, Text: "the line must not be longer than 256 KB"}}},
		{"with a last line that is too long", categoryLine + "\n" + organizationLine + "\n" + strings.Repeat(long, 3), []jsonlines.Problem{{Line: 3, Text: "the line must not be longer than 256 KB"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, problems(t, tt.text))
		})
	}

	t.Run("and takes the longest line", func(t *testing.T) {
		t.Parallel()
		text := categoryLine + strings.Repeat(" ", jsonlines.MaxLine-len(categoryLine)) + "\n" + organizationLine
		_, err := parse(text)
		require.NoError(t, err)
	})

	t.Run("and stops looking after ten thousand problems", func(t *testing.T) {
		t.Parallel()
		found := problems(t, strings.Repeat("x\n", 2*jsonlines.MaxProblems))
		require.Len(t, found, jsonlines.MaxProblems)
		assert.Equal(t, jsonlines.Problem{Line: jsonlines.MaxProblems, Text: "the line is not valid JSON"}, found[jsonlines.MaxProblems-1])
	})

	t.Run("and names every fault of every line, by line", func(t *testing.T) {
		t.Parallel()
		text := strings.Replace(
			organizationLine,
			`"name":"Vidorama"`,
			`"name":""`,
			1,
		) + "\nx\n" + strings.NewReplacer(
			`"vidorama"`,
			`"b"`,
			`"Text"`,
			`"Oral"`,
			`+49`,
			`0049`,
		).Replace(
			organizationLine,
		)
		assert.Equal(t, []jsonlines.Problem{
			{Line: 1, Path: "/organization/name", Text: "must have 1 to 200 characters"},
			{Line: 1, Path: "/organization/category", Text: "there is no category of this slug in the file"},
			{Line: 2, Text: "the line is not valid JSON"},
			{Line: 3, Path: "/organization/products/0/form", Text: "must be Text, Written or WetInk"},
			{Line: 3, Path: "/organization/products/0/channels/2/fax", Text: "must be a number in the form of E.164, such as +4930123456"},
			{Line: 3, Path: "/organization/category", Text: "there is no category of this slug in the file"},
		}, problems(t, text))
	})

	t.Run("and says in a word what is wrong", func(t *testing.T) {
		t.Parallel()
		_, err := parse("x")
		assert.EqualError(t, err, `catalogue file: line 1, path "": the line is not valid JSON (problem 1 of 1)`)
	})
}

func TestParseGivesBackTheErrorOfItsReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, read := range []string{"", categoryLine + "\n"} {
		_, err := cataloguefile.Parse(&reader{text: strings.NewReader(read), err: broken}, letter.New())
		require.ErrorIs(t, err, broken)
		var invalid *jsonlines.Invalid
		assert.NotErrorAs(t, err, &invalid)
	}
	_, err := cataloguefile.Parse(iotest.OneByteReader(strings.NewReader(categoryLine+"\n"+organizationLine)), letter.New())
	require.NoError(t, err)
}

// reader fails where its text ends.
type reader struct {
	text *strings.Reader
	err  error
}

func (r *reader) Read(b []byte) (int, error) {
	if r.text.Len() == 0 {
		return 0, r.err
	}
	return r.text.Read(b)
}

// Whatever a file holds: it is an edition or is refused, and what it is refused
// for repeats nothing of it that is long or cannot be seen.
func FuzzParse(f *testing.F) {
	f.Add([]byte(categoryLine + "\n" + organizationLine))
	f.Add([]byte(strings.ReplaceAll(organizationLine, "slug", "sl\\u0000ug")))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	letters := letter.New()
	f.Fuzz(func(t *testing.T, file []byte) {
		edition, err := cataloguefile.Parse(bytes.NewReader(file), letters)
		if err == nil {
			for _, e := range edition.Entries {
				require.NotEmpty(t, e.Products)
			}
			return
		}
		var invalid *jsonlines.Invalid
		require.ErrorAs(t, err, &invalid)
		require.NotEmpty(t, invalid.Problems)
		for _, p := range invalid.Problems {
			require.Less(t, len(p.Path), 400)
			require.NotContains(t, p.Path, "\x00")
		}
	})
}

// The schema lists the standard fields for editors; the code has their formats.
func TestTheSchemaListsAllStandardFields(t *testing.T) {
	t.Parallel()
	var read struct {
		Defs struct{ StandardField struct{ Enum []string } } `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(cataloguefile.Schema(), &read))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(cataloguefile.StandardFormats())), read.Defs.StandardField.Enum)
}
