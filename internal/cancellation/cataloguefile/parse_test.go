package cataloguefile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/jsonschema"
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

func parse(text string) (catalogue.Edition, error) {
	return cataloguefile.Parse(strings.NewReader(text))
}

// problems returns the problems for which a file is rejected.
func problems(t *testing.T, text string) []jsonschema.Problem {
	t.Helper()
	edition, err := parse(text)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.Invalid
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

func TestParse(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/edition.json")
	require.NoError(t, err)
	var want catalogue.Edition
	require.NoError(t, json.Unmarshal(file, &want))
	text := categoryLine + "\n" + organizationLine + "\n"
	for name, text := range map[string]string{
		"with one object per line":                 text,
		"without a final line break":               strings.TrimSuffix(text, "\n"),
		"with Windows line breaks":                 strings.ReplaceAll(text, "\n", "\r\n"),
		"with blank lines":                         "\n" + strings.ReplaceAll(text, "\n", "\n \t\n"),
		"with categories at the end":               organizationLine + "\n" + categoryLine,
		"without optional members":                 strings.NewReplacer(`"extraConsent":false,`, "", `"inactive":false,`, "").Replace(text),
		"compressed":                               string(compress(t, text)),
		"compressed in several parts":              string(compress(t, categoryLine+"\n")) + string(compress(t, organizationLine)),
		"with additional labels for other locales": strings.Replace(text, `"en-GB":"Screen name"`, `"en-GB":"Screen name","fr-FR":"Pseudonyme"`, 1),
		"with members in another order":            strings.Replace(text, `"slug":"abo","name":"Vidorama Abo"`, `"name":"Vidorama Abo","slug":"abo"`, 1),
		"with escaped letters":                     strings.Replace(text, "Köln", `K\u00f6ln`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			edition, err := parse(text)
			require.NoError(t, err)
			assert.Equal(t, want, edition)
		})
	}

	t.Run("keeps the optional members of an organization and its products", func(t *testing.T) {
		text := strings.NewReplacer(
			`"extraConsent":false`, `"extraConsent":true`, `"inactive":false`, `"inactive":true`,
			`"https://vidorama.example"`, `""`, `"form":"Text"`, `"form":"Written"`,
			`{"kind":"Email","email":"kuendigung@vidorama.example"},`, "", `,{"kind":"Fax","fax":"+4922155500123"}`, "",
			`"street":"Lichtspielweg 4",`, "",
		).Replace(text)
		edition, err := parse(text)
		require.NoError(t, err)
		e := edition.Entries[0]
		assert.True(t, e.Organization.ExtraConsent)
		assert.True(t, e.Organization.Inactive)
		assert.Empty(t, e.Organization.URL)
		assert.True(t, e.Products[0].Inactive)
		assert.Equal(t, catalogue.FormWritten, e.Products[0].Form)
		assert.Empty(t, e.Products[0].Address().Street)
	})
}

func TestParseRejectsWholeFiles(t *testing.T) {
	t.Parallel()
	whole := func(text string) []jsonschema.Problem { return []jsonschema.Problem{{Text: text}} }
	long := strings.Repeat("x", jsonschema.MaxLine)
	for _, tt := range []struct {
		name, text string
		want       []jsonschema.Problem
	}{
		{"rejects an empty file", "", whole("the file must contain at least one organization")},
		{"rejects a file with only categories", categoryLine, whole("the file must contain at least one organization")},
		{"rejects truncated gzip data", string(compress(t, organizationLine)[:60]), []jsonschema.Problem{{Line: 1, Text: "the gzip compression is damaged"}}},
		{"rejects a damaged gzip header", "\x1f\x8b\x08", whole("the gzip compression is damaged")},
		{"rejects corrupt gzip data", string(compress(t, categoryLine)[:12]) + "\xff\xff\xff\xff\xff\xff", []jsonschema.Problem{{Line: 1, Text: "the gzip compression is damaged"}}},
		{"rejects a file that is small only when compressed", string(compress(t, strings.Repeat(strings.Repeat(" ", 1023)+"\n", cataloguefile.MaxMB*1024+1))), whole("the file must not be larger than 64 MB")},
		{"rejects a line that is too long", categoryLine + "\n\"" + long + "\"\n" + organizationLine, []jsonschema.Problem{{Line: 2, Text: "the line must not be longer than 256 KB"}}},
		{"rejects a last line that is too long", categoryLine + "\n" + organizationLine + "\n" + strings.Repeat(long, 3), []jsonschema.Problem{{Line: 3, Text: "the line must not be longer than 256 KB"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, problems(t, tt.text))
		})
	}

	t.Run("accepts a line of the maximum length", func(t *testing.T) {
		text := categoryLine + strings.Repeat(" ", jsonschema.MaxLine-len(categoryLine)) + "\n" + organizationLine
		_, err := parse(text)
		require.NoError(t, err)
	})

	t.Run("stops after ten thousand problems", func(t *testing.T) {
		found := problems(t, strings.Repeat("x\n", 2*jsonschema.MaxProblems))
		require.Len(t, found, jsonschema.MaxProblems)
		last := jsonschema.Problem{Line: jsonschema.MaxProblems, Text: "the line is not valid JSON"}
		assert.Equal(t, last, found[jsonschema.MaxProblems-1])
	})

	t.Run("reports every problem of every line, sorted by line", func(t *testing.T) {
		text := strings.Replace(organizationLine, `"name":"Vidorama"`, `"name":""`, 1) + "\nx\n" + strings.NewReplacer(
			`"vidorama"`, `"b"`, `"Text"`, `"Oral"`, `+49`, `0049`,
		).Replace(organizationLine)
		assert.Equal(t, []jsonschema.Problem{
			{Line: 1, Path: "/organization/name", Text: "must have 1 to 200 characters"},
			{Line: 1, Path: "/organization/category", Text: "the file has no category with this slug"},
			{Line: 2, Text: "the line is not valid JSON"},
			{Line: 3, Path: "/organization/products/0/channels/2/fax", Text: "must be a phone number in E.164 format, such as +4930123456"},
			{Line: 3, Path: "/organization/products/0/form", Text: "must be Text, Written or WetInk"},
			{Line: 3, Path: "/organization/category", Text: "the file has no category with this slug"},
		}, problems(t, text))
	})

	t.Run("summarizes the first problem in the error", func(t *testing.T) {
		_, err := parse("x")
		assert.EqualError(t, err, `catalogue file: line 1, path "": the line is not valid JSON (problem 1 of 1)`)
	})
}

func TestParseReturnsTheErrorOfItsReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, read := range []string{"", categoryLine + "\n"} {
		_, err := cataloguefile.Parse(&reader{text: strings.NewReader(read), err: broken})
		require.ErrorIs(t, err, broken)
		var invalid *jsonschema.Invalid
		assert.NotErrorAs(t, err, &invalid)
	}
	_, err := cataloguefile.Parse(iotest.OneByteReader(strings.NewReader(categoryLine + "\n" + organizationLine)))
	require.NoError(t, err)
}

// reader returns err at the end of its text.
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

// Any file is either accepted or rejected with problems, and no problem repeats long or
// invisible text from the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(categoryLine + "\n" + organizationLine))
	f.Add([]byte(strings.ReplaceAll(organizationLine, "slug", "sl\\u0000ug")))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		edition, err := cataloguefile.Parse(bytes.NewReader(file))
		if err == nil {
			for _, e := range edition.Entries {
				require.NotEmpty(t, e.Products)
			}
			return
		}
		var invalid *jsonschema.Invalid
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
	assert.ElementsMatch(t, slices.Collect(maps.Keys(catalogue.StandardLabels()["en"])), read.Defs.StandardField.Enum)
	assert.Subset(t, read.Defs.StandardField.Enum, slices.Collect(maps.Keys(catalogue.StandardFormats)))
}

// Each language has all labels, a locale only some, and letters can print them.
func TestStandardLabels(t *testing.T) {
	t.Parallel()
	fields := slices.Collect(maps.Keys(catalogue.StandardLabels()["en"]))
	for language, labels := range catalogue.StandardLabels() {
		if !strings.Contains(language, "-") {
			assert.ElementsMatch(t, fields, slices.Collect(maps.Keys(labels)), language)
		}
		for key, label := range labels {
			assert.Contains(t, fields, key, language)
			assert.NotEmpty(t, label, "%s of %s", key, language)
			assert.NoError(t, letter.Writer{}.Check(label), "%s of %s", key, language)
		}
	}
	for _, locale := range (letter.Writer{}).Locales() {
		assert.Contains(t, catalogue.StandardLabels(), locale.Language())
	}
}
