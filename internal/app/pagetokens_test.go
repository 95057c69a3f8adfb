package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/token"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/document"
)

// TestPageTokensBelongToEveryFilter goes through every list of the API: a token for some values of all its
// filters is refused if one of them is different or missing.
func TestPageTokensBelongToEveryFilter(t *testing.T) {
	pages, err := keyring.Root{Current: strings.Repeat("r", 64)}.Sealer(keyring.PageTokens)
	require.NoError(t, err)
	handler, user := everyOperation(everyScope, pages), uuid.NewString()
	lists, filters := 0, 0
	hasPages := func(p *huma.Param) bool { return p.Name == "nextToken" }
	for path, item := range document.Partners().Paths {
		if item.Get == nil || !slices.ContainsFunc(item.Get.Parameters, hasPages) {
			continue
		}
		lists++
		made, other, optional := url.Values{}, map[string]string{}, map[string]bool{}
		of := owner.User{Partner: "p"}
		for _, p := range item.Get.Parameters {
			switch {
			case p.Name == "X-User-Id":
				of.ID = owner.UserID(user)
			case p.In != "header" && p.Name != "limit" && p.Name != "nextToken":
				one, two := twoValues(p.Schema)
				made.Set(p.Name, one)
				other[p.Name], optional[p.Name] = two, !p.Required
			}
		}
		var binding []string
		for name := range made {
			binding = append(binding, name+"="+made.Get(name))
		}
		slices.Sort(binding)
		next := token.SealPage(pages, time.Now(), "{}", token.BindPage("GET "+path, of, binding...))
		refused := func(sent url.Values) bool {
			address := path
			query := url.Values{"nextToken": {next}, "limit": {"7"}}
			for name := range sent {
				if strings.Contains(path, "{"+name+"}") {
					address = strings.ReplaceAll(address, "{"+name+"}", sent.Get(name))
				} else {
					query.Set(name, sent.Get(name))
				}
			}
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address+"?"+query.Encode(), nil)
			req.Header.Set("Authorization", "Bearer x")
			req.Header.Set("X-User-Id", user)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, req)
			require.NotEqual(t, http.StatusUnprocessableEntity, w.Code, "%s: %s", address, w.Body)
			return strings.Contains(w.Body.String(), `"invalid_next_token"`)
		}
		assert.False(t, refused(made), "%s: what the token is for", path)
		for name, value := range other {
			filters++
			changed := maps.Clone(made)
			changed.Set(name, value)
			assert.True(t, refused(changed), "%s: another %s", path, name)
			if optional[name] {
				changed.Del(name)
				assert.True(t, refused(changed), "%s: no %s", path, name)
			}
		}
	}
	require.Greater(t, lists, 5)
	require.Greater(t, filters, 2*lists)
}

// twoValues returns two values of a parameter. The first is not its default.
func twoValues(s *huma.Schema) (one, two string) {
	if len(s.Examples) > 0 {
		example, _ := json.Marshal(s.Examples[0]) // a text or a number, whose type is that of the file of words
		one = strings.Trim(string(example), `"`)
	}
	switch {
	case len(s.Enum) > 0 && s.Enum[0] == s.Default:
		return fmt.Sprint(s.Enum[1]), fmt.Sprint(s.Enum[0])
	case len(s.Enum) > 0:
		return fmt.Sprint(s.Enum[0]), fmt.Sprint(s.Enum[1])
	case s.Format == "uuid":
		return uuid.NewString(), uuid.NewString()
	case s.Type == huma.TypeInteger:
		return fmt.Sprint(*s.Minimum), fmt.Sprint(*s.Minimum + 1)
	case s.Format == "date":
		return one, "2026-02-01" // between the examples of first and last days
	case one == "":
		one = "a"
	}
	last := len(one) - 1
	return one, one[:last] + string(one[last]+1)
}
