package api

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"aviso/internal/api/apierror"
)

// queryNames are the query parameters that an operation's input declares.
func queryNames[I any]() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[I]()) {
		if name, _, _ := strings.Cut(field.Tag.Get("query"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// checkText rejects text in the query and in the Idempotency-Key that is not UTF-8. Identifiers are compared exactly
// as sent, and replaced bytes could make two of them equal.
func (r *Router) checkText(_ http.ResponseWriter, req *http.Request, _ *route) error {
	if !utf8.ValidString(req.Header.Get(headerIdempotency)) {
		return apierror.New(apierror.MalformedRequest, "The header Idempotency-Key is not UTF-8.")
	}
	if query, err := url.QueryUnescape(req.URL.RawQuery); err == nil && !utf8.ValidString(query) {
		return apierror.New(apierror.MalformedRequest, "The query is not UTF-8.")
	}
	return nil
}

// checkQuery rejects likely mistakes in the query. Parameters must not be repeated, because programs differ on which
// one counts. Only read requests may have empty and unknown parameters: a mistyped dryRun must not send a letter.
func (r *Router) checkQuery(_ http.ResponseWriter, req *http.Request, rt *route) error {
	if rt.query == nil || req.URL.RawQuery == "" {
		return nil
	}
	sent, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil { // Query would drop the parameter
		return apierror.New(apierror.MalformedRequest, "The query could not be parsed.")
	}
	known, reads := rt.query(), rt.Method == http.MethodGet
	var fields []apierror.Field
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		f, isKnown := apierror.Field{Parameter: name}, slices.Contains(known, name)
		switch {
		case !isKnown && !reads:
			f.Code, f.Detail = "unknown_parameter", "The operation has no such query parameter."
		case isKnown && len(sent[name]) > 1:
			f.Code, f.Detail = "repeated", "Must be sent only once."
		case isKnown && !reads && sent.Get(name) == "":
			f.Code, f.Detail = "invalid", "Must not be empty."
		default:
			continue
		}
		fields = append(fields, f)
	}
	if len(fields) > 0 {
		return apierror.Invalid(fields...)
	}
	if reads {
		req.URL.RawQuery = lenient(sent, known).Encode()
	}
	return nil
}

// lenient returns the query without unknown and empty parameters, and with a limit of at most MaxLimit.
func lenient(sent url.Values, known []string) url.Values {
	maps.DeleteFunc(sent, func(name string, values []string) bool {
		return values[0] == "" || !slices.Contains(known, name)
	})
	limit, err := strconv.ParseUint(sent.Get("limit"), 10, 64)
	if err == nil && limit > MaxLimit || errors.Is(err, strconv.ErrRange) {
		sent.Set("limit", strconv.Itoa(MaxLimit))
	}
	return sent
}

// checkJSON rejects JSON that encoding/json would change silently: bytes that are not UTF-8, lone surrogates, and
// members that occur twice (RFC 8259 §4, §8). It leaves text that is not JSON to the parser.
func checkJSON(body []byte) error {
	// API Gateway passes JSON on as text, so it may already have replaced invalid bytes.
	if !utf8.Valid(body) || bytes.ContainsRune(body, utf8.RuneError) {
		return apierror.New(apierror.MalformedRequest, "The body is not UTF-8.")
	}
	value, duplicates := jsontext.Value(body), jsontext.AllowDuplicateNames(true)
	switch {
	case value.IsValid() || !value.IsValid(duplicates, jsontext.AllowInvalidUTF8(true)):
		return nil
	case !value.IsValid(duplicates):
		return apierror.New(apierror.MalformedRequest, `The body has half of a surrogate pair (\ud800 to \udfff).`)
	default:
		return apierror.New(apierror.MalformedRequest, "The body has an object with a duplicate member.")
	}
}
