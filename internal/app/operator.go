package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/config"
	"aviso/internal/notification/notificationdb"
)

// command does one thing for the operator. Its event is that of the function,
// the member command included; what it gives back is the function's answer.
type command func(ctx context.Context, event json.RawMessage) (any, error)

// Operator is the function that nothing but the operator calls, by IAM. Its
// event names a command, beside whatever that command takes.
func Operator(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE")
	notificationTable, sealingSecret := r.Required("NOTIFICATION_TABLE"), r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(c.dynamo, table, outboxTable, time.Now, newID)
	commands := map[string]command{
		"import-catalogue": importCommand(store),
		"reseal-webhook-keys": resealCommand(secretsmanager.NewFromConfig(c.config), sealingSecret,
			notificationdb.New(c.dynamo, notificationTable, outboxTable, nil, time.Now, newID)),
	}
	return handlerFunc[json.RawMessage, any](func(ctx context.Context, event json.RawMessage) (any, error) {
		return operate(ctx, commands, event)
	}), nil
}

// operate finds the event's command and runs it.
func operate(ctx context.Context, commands map[string]command, event json.RawMessage) (any, error) {
	var named struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(event, &named); err != nil {
		return nil, errors.New(`operator: the event must be an object with the member "command", a string`)
	}
	run, known := commands[named.Command]
	if !known {
		return nil, fmt.Errorf("operator: the event's command must be one of: %s", strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
	}
	return run(ctx, event)
}

// importEvent asks for an import of the catalogue.
type importEvent struct {
	Command string `json:"command"`
	// File is the catalogue's file, plain or compressed by gzip; in base64 on the
	// wire.
	File []byte `json:"file"`
	// DryRun: nothing is written, and the answer says what would be.
	DryRun bool `json:"dryRun"`
}

// importAnswer says what an import has changed. Where there are errors it has
// changed nothing.
type importAnswer struct {
	DryRun       bool     `json:"dryRun"`
	New          int      `json:"new"`
	Changed      int      `json:"changed"`
	Removed      int      `json:"removed"`
	Unchanged    int      `json:"unchanged"`
	NewSlugs     []string `json:"newSlugs"`
	ChangedSlugs []string `json:"changedSlugs"`
	RemovedSlugs []string `json:"removedSlugs"`
	Version      string   `json:"version"`
	// ErrorCount is of all errors; Errors are the first shownErrors of them.
	ErrorCount int           `json:"errorCount"`
	Errors     []importError `json:"errors"`
}

type importError struct {
	Line    int    `json:"line"`
	Path    string `json:"path"`
	Problem string `json:"problem"`
}

// shownErrors keeps an answer well within what a function may answer (6 MB).
const shownErrors = 1000

func importCommand(store catalogueStore) command {
	return func(ctx context.Context, event json.RawMessage) (any, error) {
		var e importEvent
		d := json.NewDecoder(bytes.NewReader(event))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil || len(e.File) == 0 {
			return nil, errors.New(`operator: import-catalogue takes "file", which is the file in base64, and "dryRun", a boolean, and nothing else`)
		}
		result, err := importCatalogue(ctx, store, bytes.NewReader(e.File), e.DryRun, func(done, total int) {
			slog.InfoContext(ctx, "catalogue import", "done", done, "total", total)
		})
		var invalid *cataloguefile.Invalid
		if errors.As(err, &invalid) {
			return refusal(e, invalid), nil
		}
		if err != nil {
			return nil, err
		}
		slog.InfoContext(ctx, "catalogue imported", "dryRun", e.DryRun, "version", result.Version,
			"new", result.New, "changed", result.Changed, "removed", result.Removed, "unchanged", result.Unchanged)
		return answerOf(e, result), nil
	}
}

func answerOf(e importEvent, r cancellation.ImportResult) importAnswer {
	return importAnswer{
		DryRun: e.DryRun, New: r.New, Changed: r.Changed, Removed: r.Removed, Unchanged: r.Unchanged, Version: r.Version,
		NewSlugs: orEmpty(r.NewSlugs), ChangedSlugs: orEmpty(r.ChangedSlugs), RemovedSlugs: orEmpty(r.RemovedSlugs), Errors: []importError{},
	}
}

func refusal(e importEvent, invalid *cataloguefile.Invalid) importAnswer {
	a := answerOf(e, cancellation.ImportResult{})
	a.ErrorCount = len(invalid.Problems)
	for _, p := range invalid.Problems[:min(len(invalid.Problems), shownErrors)] {
		a.Errors = append(a.Errors, importError{Line: p.Line, Path: p.Path, Problem: p.Text})
	}
	return a
}

// orEmpty keeps null out of an answer.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
