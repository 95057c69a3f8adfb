package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/token"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/identity/identityapi"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/secret/keyring"
	"aviso/localstack/document"
)

// everyOperation serves all operations, without services behind them.
func everyOperation(
	verify func(context.Context, string, string) (token.Principal, error), pages *keyring.Sealer,
) http.Handler {
	r := api.New(api.Options{
		BaseURL: "https://api.example", VerifyToken: verify, RateLimit: 1_000_000, Pages: pages,
		Now: time.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	})
	identityapi.Register(r, identityapi.Services{})
	pfmapi.Register(r, pfmapi.Services{})
	cancellationapi.Register(r, cancellationapi.Services{})
	cancellationapi.RegisterSearch(r, nil)
	cancellationapi.RegisterCallbacks(r, cancellationapi.Callbacks{})
	cancellationapi.RegisterMail(r, func(context.Context, []byte) error { return nil })
	cancellationapi.RegisterReplies(r, nil)
	notificationapi.Register(r, notificationapi.Services{})
	return r.Handler()
}

func everyScope(context.Context, string, string) (token.Principal, error) {
	return token.Principal{Partner: "p", Scopes: []string{"identity", "pfm", "cancellation", "webhook"}}, nil
}

// TestWorstRequestsAreCheap sends what is most expensive to refuse to every operation: the worst bodies, and
// queries with many parameters. It counts allocations, because each value that is checked and each error
// that is made costs some. Only to read JSON, a few times, may cost more if the body is larger.
func TestWorstRequestsAreCheap(t *testing.T) {
	const forErrors = 10_000 // allocations for at most 101 errors, and for reading a query
	handler, partners := everyOperation(everyScope, nil), document.Partners()
	paths := maps.Clone(partners.Paths)
	maps.Copy(paths, document.Internal().Paths)
	var query strings.Builder
	for n := range 9_999 {
		fmt.Fprintf(&query, "%%00%%22%d=1&", n)
	}
	bad := newWorst(t, partners.Components.Schemas)
	for path, item := range paths {
		address := regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(path, uuid.NewString())
		for method, o := range map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put,
			http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		} {
			if o == nil {
				continue
			}
			send := func(name, query, body string) {
				t.Helper()
				req := httptest.NewRequestWithContext(t.Context(), method, address+"?"+query, strings.NewReader(body))
				req.Header.Set("Authorization", "Bearer x")
				req.Header.Set("X-User-Id", uuid.NewString())
				req.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				spent := allocations(func() { handler.ServeHTTP(w, req) })
				reading := allocations(func() {
					_ = json.Unmarshal([]byte(body), new(any))
					_, _ = url.ParseQuery(query)
				})
				of := fmt.Sprintf("%s: %s", o.OperationID, name)
				assert.Less(t, spent, 4*reading+forErrors, of)
				if body != "" {
					require.LessOrEqual(t, len(body), api.MaxBody, of)
					assert.Equal(t, 4, w.Code/100, of)
				}
				if w.Header().Get("Content-Type") == "application/problem+json" {
					var problem struct{ Errors []any }
					require.NoError(t, json.Unmarshal(w.Body.Bytes(), &problem), of)
					assert.LessOrEqual(t, len(problem.Errors), 100, of)
					assert.LessOrEqual(t, w.Body.Len(), 64<<10, of)
				}
			}
			send("many parameters", query.String(), "")
			send("a parameter with a long name", strings.Repeat("%00", 100_000)+"=1", "")
			if partners.Paths[path] == nil || o.RequestBody == nil || o.RequestBody.Content["application/json"] == nil {
				continue // carriers' bodies have no schema of ours
			}
			clear(bad.bodies)
			bad.add(o.RequestBody.Content["application/json"].Schema, "", "", "")
			for name, body := range bad.bodies {
				send(name, "", body)
			}
		}
	}
}

func allocations(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// worst collects bodies by what is bad about them.
type worst struct {
	*testing.T

	schemas        huma.Registry
	bodies         map[string]string
	items, members map[string]string // that can be repeated: each is followed by a comma
}

func newWorst(t *testing.T, schemas huma.Registry) *worst {
	repeat := func(format string) string {
		var b strings.Builder
		for n := 0; b.Len() <= api.MaxBody; n++ {
			fmt.Fprintf(&b, format+",", n)
		}
		return b.String()
	}
	var object strings.Builder
	for n := range 200 {
		fmt.Fprintf(&object, `"%d":1,`, n)
	}
	w := &worst{T: t, schemas: schemas, bodies: map[string]string{}}
	w.items = map[string]string{
		"numbers": repeat("1%.0s"), "objects": repeat("{}%.0s"), "lists": repeat("[]%.0s"),
		"objects with a member": repeat(`{"a":{}}%.0s`), "large objects": repeat("{" + object.String() + `"a":1}%.0s`),
	}
	w.members = map[string]string{
		"unknown names":           repeat(`"%d":1`),
		"dots in their names":     repeat(`"a.%d.b":1`),
		"brackets in their names": repeat(`"a[%d].b[":1`),
		"names to escape":         repeat(`"~/~/~/~/~/%d":1`),
		"names to escape in JSON": repeat(`"\u0001\u0002\u0003<&>%d":1`),
		"names of 125 characters": repeat(`"` + strings.Repeat("\U0001F600", 120) + `%d":1`),
		"the same name":           repeat(`"a":1%.0s`),
	}
	return w
}

// add adds bodies in which the value between begin and end, whose schema is s, is bad.
func (w *worst) add(s *huma.Schema, at, begin, end string) {
	for s.Ref != "" || len(s.OneOf) > 0 {
		if s.Ref == "" {
			require.Equal(w, "null", s.OneOf[1].Type, at)
			s = s.OneOf[0]
		} else {
			s = w.schemas.SchemaFromRef(s.Ref)
		}
	}
	w.onlyKnown(s, at)
	free := api.MaxBody - len(begin) - len(end) - 2
	put := func(name, value string) { w.bodies[name+" at "+at] = begin + value + end }
	cut := func(text string) string { return text[:strings.LastIndexByte(text[:free+1], ',')] }
	fill := func(text string) string { return strings.Repeat(text, (free-20)/len(text)) }
	put("a number of many digits", fill("9"))
	put("a list of numbers", "["+cut(w.items["numbers"])+"]")
	switch s.Type {
	case huma.TypeArray:
		w.add(s.Items, at+"/0", begin+"[", "]"+end)
	case huma.TypeObject:
		for name, member := range s.Properties {
			w.add(member, at+"/"+name, begin+`{"`+name+`":`, "}"+end)
		}
	default:
		return
	}
	for name, text := range w.items {
		put("a list of "+name, "["+cut(text)+"]")
	}
	for name, text := range w.members {
		put("members with "+name, "{"+cut(text)+"}")
	}
	put("a long name", `{"`+fill("a")+`":1}`)
	put("a long name to escape", `{"`+fill("/")+`":1}`)
	put("deep lists", strings.Repeat("[", 9_000)+strings.Repeat("]", 9_000))
	put("deep objects", strings.Repeat(`{"a":`, 9_000)+"1"+strings.Repeat("}", 9_000))
	put("lists without an end", fill("["))
}

// onlyKnown fails for keywords that the check of bodies does not know, and for lists without a limit.
func (w *worst) onlyKnown(s *huma.Schema, at string) {
	text, err := json.Marshal(s)
	require.NoError(w, err)
	var keywords map[string]any
	require.NoError(w, json.Unmarshal(text, &keywords))
	for keyword, value := range keywords {
		assert.Contains(w, []string{
			"type", "format", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "items", "minItems",
			"maxItems", "properties", "required", "additionalProperties", "description", "examples", "x-go-type",
		}, keyword, at)
		if keyword == "additionalProperties" && value != false {
			assert.Empty(w, value, at)
		}
	}
	assert.False(w, s.Type == huma.TypeArray && s.MaxItems == nil, at)
}
