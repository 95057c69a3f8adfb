package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	aviso "aviso.example/client"

	"aviso/internal/app"
	"aviso/localstack/stack"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/eventfile"
	"aviso/localstack/stack/partner"
	"aviso/localstack/stack/seed"
)

// organization is what the tests look at.
type organization struct {
	Slug      string
	Confirmed bool
	Products  []struct {
		Channels []struct {
			Kind    string
			Address *address
		}
	}
}

// starter returns the lines of the file that ships.
func starter(t *testing.T) (packed []byte, organizations []organization) {
	t.Helper()
	packed, err := os.ReadFile("starter.jsonl.gz")
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	for d := json.NewDecoder(r); d.More(); {
		var line struct{ Organization *organization }
		require.NoError(t, d.Decode(&line))
		if line.Organization != nil {
			organizations = append(organizations, *line.Organization)
		}
	}
	return packed, organizations
}

// The whole file is imported into a stack of its own, searched, and written to by post.
func TestStarterCatalogue(t *testing.T) {
	packed, organizations := starter(t)
	url, dataDir := startStack(t)
	invoke, err := eventfile.Operator(func(name string) string { return map[string]string{"DATA_DIR": dataDir}[name] })
	require.NoError(t, err)
	event, err := json.Marshal(map[string]any{"command": "import-catalogue", "file": packed})
	require.NoError(t, err)
	client := aviso.Must(aviso.New(aviso.Config{BaseURL: url, ClientID: partner.ClientID, ClientSecret: partner.ClientSecret}))
	confirmed := &aviso.ListOrganizationsParams{Limit: 1, Confirmed: "true"}
	own := aviso.Must(client.Catalogue.ListOrganizationsPage(t.Context(), confirmed)).Items
	require.Len(t, own, 1)
	assert.True(t, own[0].Confirmed, "those of the sandbox are")
	answer, err := invoke(t.Context(), event)
	require.NoError(t, err)
	var result struct{ New, ErrorCount int }
	require.NoError(t, json.Unmarshal(answer, &result))
	assert.Zero(t, result.ErrorCount, string(answer))
	assert.Equal(t, len(organizations), result.New)

	search := func(words, confirmed string) (names []string) {
		found := aviso.Must(client.Search.Catalogue(t.Context(), &aviso.SearchCatalogueParams{SearchQuery: words, Confirmed: confirmed}))
		for _, o := range found.Data.Organizations {
			assert.False(t, o.Confirmed, o.Name)
			assert.Contains(t, o.Source, "datenanfragen.de")
			names = append(names, o.Name)
		}
		for _, p := range found.Data.Products {
			names = append(names, p.Name)
		}
		return names
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		assert.Contains(c, search("Telekom", ""), "Telekom Deutschland GmbH")
	}, time.Minute, time.Second, "the search reads the new version")
	for words, want := range map[string]string{
		"Vodafone": "Vodafone GmbH", "Vodafon": "Vodafone GmbH", "Allianz": "Allianz SE", "Alianz": "Allianz SE",
		"McFit": "McFIT", "Mcfti": "McFIT", "RSG Group": "RSG Group GmbH", "congstar": "congstar",
	} {
		assert.Contains(t, search(words, ""), want, words)
	}
	assert.Empty(t, search("Telekom", "true"))
	assert.Contains(t, search("Telekom", "false"), "Telekom Deutschland GmbH")
	list := func(confirmed string) []aviso.Organization {
		return aviso.Must(client.Catalogue.ListOrganizationsPage(t.Context(), &aviso.ListOrganizationsParams{Confirmed: confirmed})).Items
	}
	assert.Empty(t, list("true"))
	assert.Len(t, list("false"), len(list("")))

	user := aviso.Must(client.Users.Create(t.Context(), aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "de"})).UserID
	_, err = partner.AcceptTerms(t.Context(), client, user)
	require.NoError(t, err)
	_, product, err := partner.Find(t.Context(), client, "Allianz SE")
	require.NoError(t, err)
	made := aviso.Must(client.User(user).Cancellations.Create(t.Context(), partner.Letter(product), nil)).Cancellation
	assert.Equal(t, "Mail", made.Channel)
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		now := aviso.Must(client.User(user).Cancellations.Get(t.Context(), made.CancellationID))
		assert.Equal(c, "Sent", now.Status)
	}, time.Minute, 200*time.Millisecond)
}

func TestStarterCatalogueHasNeitherMailNorPersons(t *testing.T) {
	_, organizations := starter(t)
	assert.Greater(t, len(organizations), 1400)
	for _, o := range organizations {
		assert.False(t, o.Confirmed, o.Slug)
		for _, p := range o.Products {
			for _, c := range p.Channels {
				assert.Contains(t, "Mail RegisteredMail Fax", c.Kind, o.Slug)
				if c.Address != nil {
					for _, line := range append(c.Address.Recipient[1:], c.Address.Street) {
						assert.NotRegexp(t, rules().Officer, line, o.Slug)
						assert.NotContains(t, line, "@", o.Slug)
					}
				}
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		record  record
		want    *address
		dropped []string
	}{
		"a privacy officer's line": {
			record{Name: "Nord AG", Address: "Datenschutzbeauftragter\nAm Hafen 3\n20095 Hamburg\nDeutschland"},
			&address{[]string{"Nord AG"}, "Am Hafen 3", "20095", "Hamburg", "DE"}, []string{"Datenschutzbeauftragter"},
		},
		"a person's": {
			record{Name: "Nord AG", Address: "Erika Mustermann\nAm Hafen 3\n20095 Hamburg\nDeutschland"},
			&address{[]string{"Nord AG"}, "Am Hafen 3", "20095", "Hamburg", "DE"}, []string{"Erika Mustermann"},
		},
		"a postal code of its own": {
			record{Name: "Nord AG", Address: "66101 Saarbrücken\nDeutschland"},
			&address{[]string{"Nord AG"}, "", "66101", "Saarbrücken", "DE"}, nil,
		},
		"a code after the town": {
			record{Name: "North Ltd.", Address: "Unit 1\n2 Quay Street\nLondon\nSW1Y 4LB\nUnited Kingdom"},
			&address{[]string{"North Ltd.", "Unit 1"}, "2 Quay Street", "SW1Y 4LB", "London", "GB"}, nil,
		},
		"a state": {
			record{Name: "North Inc.", Address: "1 Main St\nSpringfield, IL 62701\nUnited States of America"},
			&address{[]string{"North Inc."}, "1 Main St", "62701", "Springfield, IL", "US"}, nil,
		},
		"the operator of a brand": {
			record{Name: "Nordlicht", Address: "c/o Nord GmbH\nAm Hafen 3\n1010 Wien\nÖsterreich"},
			&address{[]string{"Nordlicht", "c/o Nord GmbH"}, "Am Hafen 3", "1010", "Wien", "AT"}, nil,
		},
		"another company's":        {record{Name: "Nord AG", Address: "c/o Kanal GmbH\nAm Hafen 3\n20095 Hamburg\nDeutschland"}, nil, nil},
		"no postal code":           {record{Name: "North DAC", Address: "2 Quay Street\nDublin 2\nIreland"}, nil, nil},
		"an unknown country":       {record{Name: "Nord AG", Address: "Am Hafen 3\n20095 Hamburg\nAtlantis"}, nil, nil},
		"no street":                {record{Name: "Nord AG", Address: "Datenschutz\n20095 Hamburg\nDeutschland"}, nil, nil},
		"a town that is not clear": {record{Name: "North plc", Address: "Livingstone Road\nHessle\nEast Yorkshire\nHU13 0DZ\nUnited Kingdom"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a, dropped, problem := parseAddress(c.record)
			if c.want == nil {
				assert.NotEmpty(t, problem)
				return
			}
			require.Empty(t, problem)
			assert.Equal(t, c.want, a)
			assert.Equal(t, c.dropped, dropped)
		})
	}
}

// startStack starts the whole service in memory.
func startStack(t *testing.T) (url, dataDir string) {
	t.Helper()
	port, err := emulator.FreePort()
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended, dataDir := make(chan error, 1), t.TempDir()
	ready, printed := io.Pipe()
	go func() {
		ended <- stack.Run(ctx, stack.Options{
			Port: port, DataDir: dataDir, InMemory: true, Memdb: true, Template: "../../template.yaml",
			Functions: app.Functions(), Seed: seed.Local, Getenv: os.Getenv, Console: printed,
		})
		_ = printed.Close()
	}()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	var text strings.Builder
	for buffer := make([]byte, 4096); !strings.Contains(text.String(), "Aviso is ready"); {
		n, err := ready.Read(buffer)
		text.Write(buffer[:n])
		require.NoError(t, err, text.String())
	}
	go func() { _, _ = io.Copy(io.Discard, ready) }()
	return "http://localhost:" + strconv.Itoa(port), dataDir
}
