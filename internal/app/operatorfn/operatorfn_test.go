package operatorfn

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/localstack/tests/testenv"
)

// operator is the operator function on its own table.
type operator struct {
	*testing.T
	store     *cancellationdb.Store
	catalogue *catalogue.Importer
	commands  map[string]command
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	db, table := testenv.DynamoDB(t), testenv.Table(t, "CancellationTable")
	catalogue := NewImporter(db, table, "no outbox")
	return &operator{
		T: t, store: cancellationdb.New(db, table, "no outbox", time.Now, uuid.NewString),
		catalogue: catalogue, commands: (&operations{catalogue: catalogue}).commands(),
	}
}

// call sends the function an event as Lambda does.
func (o *operator) call(event string) (map[string]any, error) {
	o.Helper()
	handler := bootstrap.Handler[json.RawMessage, any](func(ctx context.Context, event json.RawMessage) (any, error) {
		return operate(ctx, o.commands, event)
	})
	out, err := handler.Invoke(o.Context(), []byte(event))
	if err != nil {
		return nil, err
	}
	var answer map[string]any
	require.NoError(o, json.Unmarshal(out, &answer))
	return answer, nil
}

func importOf(t *testing.T, file []byte, dryRun bool) string {
	t.Helper()
	event, err := json.Marshal(map[string]any{"command": "import-catalogue", "file": file, "dryRun": dryRun})
	require.NoError(t, err)
	return string(event)
}

func catalogueFile(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile("testdata/catalogue.jsonl")
	require.NoError(t, err)
	return file
}

func TestOperatorImportsTheCatalogue(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	answer := func(changes map[string]any) map[string]any {
		want := map[string]any{
			"dryRun": false, "new": 0.0, "changed": 0.0, "removed": 0.0, "unchanged": 0.0, "version": "", "errorCount": 0.0,
			"newSlugs": []any{}, "changedSlugs": []any{}, "removedSlugs": []any{}, "errors": []any{},
			"warnings": []any{}, "warningCount": 0.0,
		}
		maps.Copy(want, changes)
		return want
	}

	got, err := o.call(importOf(t, catalogueFile(t), true))
	require.NoError(t, err)
	assert.Equal(t, answer(map[string]any{"dryRun": true, "new": 2.0, "newSlugs": []any{"kinolino", "vidorama"}}), got)

	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write(catalogueFile(t))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	got, err = o.call(importOf(t, zipped.Bytes(), false))
	require.NoError(t, err)
	version := got["version"]
	assert.NotEmpty(t, version)
	assert.Equal(t, answer(map[string]any{"new": 2.0, "newSlugs": []any{"kinolino", "vidorama"}, "version": version}), got)

	got, err = o.call(importOf(t, catalogueFile(t), false))
	require.NoError(t, err)
	assert.Equal(t, answer(map[string]any{"unchanged": 2.0, "version": version}), got)

	bad := bytes.Replace(catalogueFile(t), []byte(`"form":"Text"`), []byte(`"form":"Oral"`), 1)
	got, err = o.call(importOf(t, bad, false))
	require.NoError(t, err)
	assert.Equal(t, answer(map[string]any{"errorCount": 1.0, "errors": []any{
		map[string]any{"line": 2.0, "path": "/organization/products/0/form", "problem": "must be Text, Written or WetInk"},
	}}), got)

	silent := bytes.Replace(catalogueFile(t), []byte(`"EMAIL",`), nil, 1)
	silent = regexp.MustCompile(`,{"kind":"Mail","address":{.*?}}`).ReplaceAll(silent, nil)
	got, err = o.call(importOf(t, silent, true))
	require.NoError(t, err)
	assert.EqualValues(t, 1, got["warningCount"])
	assert.Equal(t, []any{map[string]any{
		"product": "vidorama/abo",
		"problem": "by e-mail alone, without the field EMAIL: the organization's answer goes to replyTo or else to your ReplyAddress",
	}}, got["warnings"])

	unprintable := bytes.Replace(catalogueFile(t), []byte(`"name":"Vidorama Abo"`), []byte(`"name":"Vidorama 😀"`), 1)
	got, err = o.call(importOf(t, unprintable, false))
	require.NoError(t, err)
	assert.Equal(t, answer(map[string]any{"errorCount": 1.0, "errors": []any{
		map[string]any{
			"line":    2.0,
			"path":    "/organization/products/0/name",
			"problem": "must not contain the character U+1F600, which letters cannot print",
		},
	}}), got)

	got, err = o.call(importOf(t, bytes.Repeat([]byte("x\n"), 1500), false))
	require.NoError(t, err)
	assert.EqualValues(t, 1500, got["errorCount"])
	assert.Len(t, got["errors"], 1000)

	entry, err := o.store.Entry(t.Context(), catalogue.OrganizationID("vidorama"))
	require.NoError(t, err)
	assert.Equal(t, "Vidorama", entry.Organization.Name, "a refused import changes nothing")
}

func TestOperatorNamesTheFirstOrganizations(t *testing.T) {
	t.Parallel()
	category, organization, _ := bytes.Cut(catalogueFile(t), []byte("\n"))
	organization, _, _ = bytes.Cut(organization, []byte("\n"))
	file := [][]byte{category}
	for i := range 25 {
		slug := fmt.Appendf(nil, `{"slug":"o%02d",`, i)
		_, rest, found := bytes.Cut(organization, []byte(`{"slug":"vidorama",`))
		require.True(t, found)
		file = append(file, slices.Concat([]byte(`{"organization":`), slug, rest))
	}
	got, err := newOperator(t).call(importOf(t, bytes.Join(file, []byte("\n")), true))
	require.NoError(t, err)
	assert.EqualValues(t, 25, got["new"])
	slugs, _ := got["newSlugs"].([]any)
	require.Len(t, slugs, 20)
	assert.Equal(t, "o19", slugs[19])
}

func TestOperatorSaysThatAnImportIsRunning(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	other := catalogue.ImportLease{Token: "other", Until: time.Now().Add(time.Hour)}
	require.NoError(t, o.store.AcquireImport(t.Context(), other, time.Now()))
	_, err := o.call(importOf(t, catalogueFile(t), false))
	require.ErrorIs(t, err, catalogue.ErrImportRunning)
}

func TestOperatorRefusesInvalidEvents(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	unknown := "operator: the event's command must be one of: " + strings.Join(slices.Sorted(maps.Keys(o.commands)), ", ")
	for event, want := range map[string]string{
		`{}`:                        unknown,
		`{"command":"drop-tables"}`: unknown,
		`{"command":7}`:             `operator: the event must be an object with the member "command", a string`,
		`[]`:                        `operator: the event must be an object with the member "command", a string`,
		`"import-catalogue"`:        `operator: the event must be an object with the member "command", a string`,
	} {
		_, err := o.call(event)
		require.EqualError(t, err, want, event)
	}
	const takes, needs = "operator: import-catalogue accepts only ", "operator: file is required"
	for event, want := range map[string]string{
		`{"command":"import-catalogue"}`:                                      needs,
		`{"command":"import-catalogue","file":""}`:                            needs,
		`{"command":"import-catalogue","file":"no base64!"}`:                  takes,
		`{"command":"import-catalogue","file":7}`:                             takes,
		`{"command":"import-catalogue","file":"eA==","dryRun":"yes"}`:         takes,
		`{"command":"import-catalogue","file":"eA==","dryrun2":true}`:         takes,
		`{"command":"import-catalogue","file":"eA==","DryRun":true}`:          takes,
		`{"command":"create-partner","name":"Acme","clientSecret":"geheim"}`:  "operator: create-partner accepts only ",
		`{"command":"redrive-queue","queue":["sync"]}`:                        "operator: redrive-queue accepts only ",
		`{"command":"redrive-queue","queue":"other"}`:                         "operator: queue must be one of ",
		`{"command":"inspect-cancellation","cancellationId":"P#geheim"}`:      "operator: An ID is not valid. /cancellationId: ",
		`{"command":"inspect-delivery","partner":"acme"}`:                     "operator: An ID is not valid. /subscriptionId: ",
		`{"command":"disable-subscription"}`:                                  "operator: partner must be the ID ",
		`{"command":"rotate-partner-secret","id":"acme","graceHours":721}`:    "operator: graceHours must be ",
		`{"command":"set-return-urls","id":"acme"}`:                           "operator: returnUrls is required",
		`{"command":"reject-cancellation","cancellationId":"x","reason":"y"}`: "operator: An ID is not valid.",
	} {
		_, err := o.call(event)
		require.Error(t, err, event)
		assert.True(t, strings.HasPrefix(err.Error(), want), err.Error())
		assert.NotContains(t, err.Error(), "geheim", "the error never repeats a value")
	}
	_, err := o.call("not JSON")
	require.Error(t, err)
}

func TestOperatorNeedsItsTables(t *testing.T) {
	t.Parallel()
	_, err := New(t.Context(), func(string) string { return "" })
	for _, name := range []string{"IDENTITY_TABLE", "PFM_TABLE", "CANCELLATION_TABLE", "NOTIFICATION_TABLE",
		"OUTBOX_TABLE", "DELIVERY_DEAD_LETTERS_URL"} {
		require.ErrorContains(t, err, name)
	}
}

func TestImportCatalogueLogsItsProgress(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	var heard [][2]int
	result, err := ImportCatalogue(t.Context(), o.catalogue, bytes.NewReader(catalogueFile(t)), false,
		func(done, total int) { heard = append(heard, [2]int{done, total}) })
	require.NoError(t, err)
	assert.Len(t, result.New, 2)
	assert.Equal(t, [][2]int{{0, 2}, {2, 2}}, heard)
	broken := &catalogue.Importer{Store: brokenStore{}, Search: nil, Now: time.Now, NewID: uuid.NewString}
	_, err = ImportCatalogue(t.Context(), broken, bytes.NewReader(catalogueFile(t)), false, nil)
	require.ErrorIs(t, err, errBroken)
}

var errBroken = errors.New("broken")

// brokenStore is a store without a table.
type brokenStore struct{ catalogue.ImportStore }

func (brokenStore) AcquireImport(context.Context, catalogue.ImportLease, time.Time) error {
	return errBroken
}
