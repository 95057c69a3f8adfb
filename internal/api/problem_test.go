package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
)

// statuses has the codes and statuses of docs/errors.md.
func statuses() map[int][]apierror.Code {
	return map[int][]apierror.Code{
		400: {"malformed_request", "invalid_next_token", "user_id_required"},
		401: {"unauthorized"},
		403: {"insufficient_scope", "terms_not_accepted", "not_available_in_production"},
		404: {"not_found", "user_not_found"},
		405: {"method_not_allowed"},
		409: {
			"conflict", "refresh_in_progress", "connection_not_active", "idempotency_in_progress",
			"external_identifier_reused", "already_cancelled", "cancellation_not_withdrawable", "subscription_not_listening",
		},
		413: {"payload_too_large"},
		415: {"unsupported_media_type"},
		422: {
			"validation_failed", "idempotency_key_reused", "extra_consent_required", "template_mismatch", "locale_not_supported",
			"return_url_not_registered", "provider_not_available", "form_not_supported", "reason_not_available", "range_too_large",
		},
		429: {"rate_limited", "refresh_too_early"},
		500: {"internal_error"},
		502: {"supplier_error"},
		503: {"temporarily_unavailable"},
	}
}

// written returns the problem document for err.
func written(t *testing.T, err error) (*httptest.ResponseRecorder, map[string]any) {
	t.Helper()
	w := httptest.NewRecorder()
	api.WriteProblem(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), err)
	var body map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
	return w, body
}

func TestEveryDocumentedCodeHasItsStatus(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for status, codes := range statuses() {
		for _, code := range codes {
			documented[string(code)] = true
			w, body := written(t, apierror.New(code, "Because."))
			assert.Equal(t, status, w.Code, code)
			assert.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
			assert.EqualValues(t, status, body["status"], code)
			assert.Equal(t, string(code), body["code"])
			assert.Equal(t, "https://aviso.example/problems/"+string(code), body["type"])
			assert.Equal(t, "Because.", body["detail"])
			assert.NotEmpty(t, body["title"], code)
			assert.NotContains(t, body, "errors")
			assert.NotContains(t, body, "nextRefreshPossibleAt")
		}
	}
	for _, code := range codesInSource(t) {
		assert.True(t, documented[code], "%s has no documented status", code)
		delete(documented, code)
	}
	assert.Empty(t, documented, "documented, but not an apierror.Code")
}

// codesInSource returns the values of all constants of type apierror.Code.
func codesInSource(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "apierror/apierror.go", nil, 0)
	require.NoError(t, err)
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			literal, ok := v.(*ast.BasicLit)
			require.True(t, ok)
			code, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			codes = append(codes, code)
		}
		return true
	})
	require.NotEmpty(t, codes)
	return codes
}

func TestProblem(t *testing.T) {
	t.Parallel()

	t.Run("hides an unclassified failure", func(t *testing.T) {
		t.Parallel()
		w, body := written(t, fmt.Errorf("read account DE89370400440532013000: %w", errUnexpected))
		assert.Equal(t, http.StatusInternalServerError, w.Code)
		assert.Equal(t, "internal_error", body["code"])
		assert.NotContains(t, w.Body.String(), "DE89")
		assert.NotContains(t, w.Body.String(), "fire")
	})

	t.Run("a code without a meaning is an internal error", func(t *testing.T) {
		t.Parallel()
		w, body := written(t, apierror.New("made_up", "The secret is 42."))
		assert.Equal(t, http.StatusInternalServerError, w.Code)
		assert.Equal(t, "internal_error", body["code"])
		assert.NotContains(t, w.Body.String(), "42")
	})

	t.Run("a wrapped refusal is that refusal", func(t *testing.T) {
		t.Parallel()
		w, body := written(t, fmt.Errorf("create: %w", errors.Join(errUnexpected, apierror.New(apierror.NotFound, "No."))))
		assert.Equal(t, http.StatusNotFound, w.Code)
		assert.Equal(t, "No.", body["detail"])
	})

	t.Run("names each invalid part", func(t *testing.T) {
		t.Parallel()
		_, body := written(t, apierror.WithFields(apierror.TemplateMismatch, "2 parts.",
			apierror.Field{Pointer: "/parameters/0", Code: "missing", Detail: "ZIP."},
			apierror.Field{Parameter: "locale", Code: "invalid", Detail: "A locale."},
			apierror.Field{Header: "X-User-Id", Code: "uuid", Detail: "A UUID."}))
		assert.Equal(t, []any{
			map[string]any{"pointer": "/parameters/0", "code": "missing", "detail": "ZIP."},
			map[string]any{"parameter": "locale", "code": "invalid", "detail": "A locale."},
			map[string]any{"header": "X-User-Id", "code": "uuid", "detail": "A UUID."},
		}, body["errors"])
	})

	t.Run("has at most 64 KB, whatever the names in it are", func(t *testing.T) {
		t.Parallel()
		for name, f := range map[string]apierror.Field{
			"a long pointer":      {Pointer: strings.Repeat("/\x01<", 100_000)},
			"a pointer to escape": {Pointer: strings.Repeat("/\x01<", 66)},
			"a long parameter":    {Parameter: strings.Repeat("\x01", 100_000)},
			"a long detail":       {Detail: strings.Repeat("<", 100_000)},
		} {
			for _, n := range []int{1, 100, 10_000} {
				w, body := written(t, apierror.Invalid(slices.Repeat([]apierror.Field{f}, n)...))
				assert.LessOrEqual(t, w.Body.Len(), 64<<10, name)
				errors, _ := body["errors"].([]any)
				assert.LessOrEqual(t, len(errors), 100, name)
				assert.NotEmpty(t, errors, name)
			}
		}
	})

	t.Run("rounds Retry-After up to whole seconds", func(t *testing.T) {
		t.Parallel()
		for after, want := range map[time.Duration]string{time.Millisecond: "1", time.Second: "1",
			1100 * time.Millisecond: "2", time.Hour: "3600"} {
			w, _ := written(t, &apierror.Error{Code: apierror.SupplierError, RetryAfter: after})
			assert.Equal(t, want, w.Header().Get("Retry-After"), after)
		}
	})

	t.Run("the next possible refresh is in UTC", func(t *testing.T) {
		t.Parallel()
		at := time.Date(2026, 3, 2, 11, 0, 0, 0, time.FixedZone("", 3600))
		w, body := written(t, &apierror.Error{Code: apierror.RefreshTooEarly, NextRefreshPossibleAt: at, RetryAfter: time.Minute})
		assert.Equal(t, "2026-03-02T10:00:00Z", body["nextRefreshPossibleAt"])
		assert.Equal(t, "60", w.Header().Get("Retry-After"))
	})
}
