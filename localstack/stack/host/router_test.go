package host

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/localstack/template"
)

func TestRouter(t *testing.T) {
	r := newRouter([]template.Route{
		{Method: "ANY", Path: "/{proxy+}"},
		{Method: "ANY", Path: "$default"},
		{Method: "GET", Path: "/pets/{proxy+}"},
		{Method: "GET", Path: "/pets/dog/{id}"},
		{Method: "ANY", Path: "/pets/dog/{id}"},
		{Method: "GET", Path: "/pets/dog/1"},
		{Method: "GET", Path: "/pets"},
		{Method: "POST", Path: "/pets/{kind}/{id}/photos"},
	})
	for _, tc := range []struct {
		name, method, path, key string
		parameters              map[string]string
	}{
		{"the fixed path wins", "GET", "/pets/dog/1", "GET /pets/dog/1", map[string]string{}},
		{"then one parameter", "GET", "/pets/dog/2", "GET /pets/dog/{id}", map[string]string{"id": "2"}},
		{"ANY takes the other methods", "DELETE", "/pets/dog/2", "ANY /pets/dog/{id}", map[string]string{"id": "2"}},
		{"a route of another method does not count", "POST", "/pets/dog/1", "ANY /pets/dog/{id}", map[string]string{"id": "1"}},
		{"then the rest", "GET", "/pets/cat/1/x", "GET /pets/{proxy+}", map[string]string{"proxy": "cat/1/x"}},
		{"the rest may end in a slash", "GET", "/pets/cat/", "GET /pets/{proxy+}", map[string]string{"proxy": "cat/"}},
		{"the rest is not empty", "GET", "/pets/", "ANY /{proxy+}", map[string]string{"proxy": "pets/"}},
		{"a longer path with two parameters", "POST", "/pets/cat/7/photos", "POST /pets/{kind}/{id}/photos", map[string]string{"kind": "cat", "id": "7"}},
		{"the widest rest", "PATCH", "/else", "ANY /{proxy+}", map[string]string{"proxy": "else"}},
		{"the default takes what is left", "GET", "/", "$default", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, ok := r.find(tc.method, tc.path)
			assert.True(t, ok)
			assert.Equal(t, tc.key, found.key())
			assert.Equal(t, tc.parameters, found.parameters)
		})
	}

	t.Run("without a default there may be no route", func(t *testing.T) {
		_, ok := newRouter([]template.Route{{Method: "GET", Path: "/a"}}).find("POST", "/a")
		assert.False(t, ok)
	})
}
