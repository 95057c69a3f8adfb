package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// line is a line of the data.
type line struct {
	Category     *category     `json:"category"`
	Organization *organization `json:"organization"`
}

type category struct {
	Slug  string            `json:"slug"`
	Names map[string]string `json:"names"`
}

type organization struct {
	Slug         string    `json:"slug"`
	Category     string    `json:"category"`
	Name         string    `json:"name"`
	ExtraConsent *bool     `json:"extraConsent"`
	URL          *string   `json:"url"`
	Locales      []string  `json:"locales"`
	Products     []product `json:"products"`
	Inactive     bool      `json:"inactive"`
}

type product struct {
	Slug     string    `json:"slug"`
	Name     string    `json:"name"`
	Locales  []string  `json:"locales"`
	Form     string    `json:"form"`
	Channels []channel `json:"channels"`
	Fields   []field   `json:"fields"`
	Terms    []terms   `json:"terms"`
	Inactive bool      `json:"inactive"`
}

// kinds returns the product's channels in order.
func (p product) kinds() string {
	var kinds []string
	for _, c := range p.Channels {
		kinds = append(kinds, c.Kind)
	}
	return strings.Join(kinds, " ")
}

type channel struct {
	Kind    string   `json:"kind"`
	Email   string   `json:"email"`
	Fax     string   `json:"fax"`
	Address *address `json:"address"`
}

// terms has what the tests look at; cataloguefile's schema checks the rest.
type terms struct {
	Sector       string `json:"sector"`
	ValidFrom    string `json:"validFrom"`
	ValidUntil   string `json:"validUntil"`
	MinimumTerm  string `json:"minimumTerm"`
	NoticePeriod string `json:"noticePeriod"`
	Renewal      string `json:"renewal"`
	RenewalTerm  string `json:"renewalTerm"`
	EndOf        string `json:"endOf"`
	Source       string `json:"source"`
}

type address struct {
	Recipient   []string `json:"recipient"`
	Street      string   `json:"street"`
	PostalCode  string   `json:"postalCode"`
	City        string   `json:"city"`
	CountryCode string   `json:"countryCode"`
}

// field is the key of a standard field, or a field of the product.
type field struct {
	Key    string
	Custom *customField
}

type customField struct {
	Key    string            `json:"key"`
	Format *string           `json:"format"`
	Labels map[string]string `json:"labels"`
}

func (f *field) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &f.Key)
	}
	f.Custom = &customField{}
	err := strict(data, f.Custom)
	f.Key = f.Custom.Key
	return err
}

// strict decodes one value and rejects unknown members.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one value")
	}
	return nil
}

func parse(t *testing.T, data string) []line {
	t.Helper()
	require.True(t, strings.HasSuffix(data, "\n"), "the last line must end with a newline")
	var out []line
	for text := range strings.Lines(data) {
		var l line
		require.NoError(t, strict([]byte(text), &l), text)
		require.NotEqual(t, l.Category == nil, l.Organization == nil, "one of both: %s", text)
		out = append(out, l)
	}
	return out
}

// read returns the categories by slug, and the organizations.
func read(t *testing.T) (map[string]category, []organization) {
	t.Helper()
	bySlug, organizations := map[string]category{}, []organization(nil)
	for _, l := range parse(t, string(Catalogue())) {
		if l.Organization != nil {
			organizations = append(organizations, *l.Organization)
			continue
		}
		require.NotContains(t, bySlug, l.Category.Slug)
		bySlug[l.Category.Slug] = *l.Category
	}
	return bySlug, organizations
}

// everyProduct runs check for each product with its organization.
func everyProduct(t *testing.T, check func(t *testing.T, o organization, p product)) {
	t.Helper()
	_, organizations := read(t)
	for _, o := range organizations {
		for _, p := range o.Products {
			t.Run(o.Slug+"/"+p.Slug, func(t *testing.T) { check(t, o, p) })
		}
	}
}

// dataFiles returns the names of the data files.
func dataFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("catalogue/*")
	require.NoError(t, err)
	slices.Sort(names)
	return names
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(name))
	require.NoError(t, err)
	return string(data)
}
