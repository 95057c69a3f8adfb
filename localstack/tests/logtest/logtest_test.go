package logtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/observe"
)

// iban redacts itself, but not in a list.
type iban string

func (iban) LogValue() slog.Value { return slog.StringValue("[iban]") }

const account = "DE89370400440532013000"

func TestPersonalDataIsFound(t *testing.T) {
	Private("Rosa Quitte", "Miete Mai/26", "DE1")
	row := struct{ Amount, Note string }{"-5.00", "Miete Mai/26"}
	var number struct{ Amount int8 }
	recovered := func() (v any) {
		defer func() { v = recover() }()
		panic("no rule for Rosa Quitte")
	}
	for name, log := range map[string]func(){
		"attribute":       func() { slog.Info("account read", "iban", account) },
		"message":         func() { slog.Warn("no merchant for " + account) },
		"with spaces":     func() { slog.Info("account", "number", "DE89 3704 0044 0532 0130 00") },
		"short, as tests": func() { slog.Info("account", "iban", "DE1") },
		"logger's own":    func() { slog.With("owner", "Rosa Quitte").Info("sync") },
		"group":           func() { slog.Info("sync", slog.Group("account", "owner", "Rosa Quitte")) },
		"struct":          func() { slog.Info("row", "row", row) },
		"formatted":       func() { slog.Info("odd", "row", fmt.Sprintf("%+v", row)) },
		"list of valuers": func() { slog.Info("accounts", "ibans", []iban{account}) },
		"wrapped error":   func() { _ = Error(fmt.Errorf("sync: %w", errors.New("row Miete Mai/26 is odd"))) },
		"panic":           func() { slog.Error("recovered", "panic", recovered()) },
		"number": func() {
			_ = Error(json.Unmarshal([]byte(`{"Amount":"`+account+`"}`), &number))
			_, err := strconv.ParseFloat(account, 64)
			_ = Error(err)
		},
		"address": func() {
			failed := &url.Error{Op: "Get", URL: "https://bank.example/accounts/" + account, Err: http.ErrHandlerTimeout}
			_ = Error(failed)
		},
		"escaped": func() { slog.Info("request", "query", "owner=Rosa%20Quitte") },
	} {
		t.Run(name, func(t *testing.T) {
			log()
			assert.NotEmpty(t, lines.found)
			lines.found = nil
		})
	}
}

func TestOtherTextIsNotPersonal(t *testing.T) {
	Private("DE1", "ab")
	for _, line := range []string{
		`{"connectionId":"0b7c1c55-7f6c-4c2a-9a50-5f0d6d2f9f10","rows":3}`, "CODE1", "DE12", "ab", "100%",
		"AKIAIOSFODNN7EXAMPLE",
	} {
		assert.Empty(t, Personal(line), line)
	}
	slog.Info("start", "iban", observe.Secret(account), "keys", []observe.Secret{account})
	assert.Empty(t, lines.found)
}
