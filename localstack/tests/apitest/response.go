package apitest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Response is a function's response. A test fails if it asks for a part that the body lacks.
type Response struct {
	events.APIGatewayV2HTTPResponse
	t testing.TB
}

// Header returns a header, whatever the case of its name.
func (r Response) Header(name string) string {
	for n, value := range r.Headers {
		if strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}

// SetCookies returns the cookies that the response sets.
func (r Response) SetCookies() []*http.Cookie {
	r.t.Helper()
	cookies := make([]*http.Cookie, len(r.Cookies))
	for i, line := range r.Cookies {
		cookie, err := http.ParseSetCookie(line)
		require.NoError(r.t, err)
		cookies[i] = cookie
	}
	return cookies
}

// Member returns the value at a path in the body. Numbers keep their digits.
func (r Response) Member(path ...string) any {
	r.t.Helper()
	decoder := json.NewDecoder(strings.NewReader(r.Body))
	decoder.UseNumber()
	var v any
	require.NoError(r.t, decoder.Decode(&v), r.Body)
	for _, name := range path {
		v = as[map[string]any](r, v, path)[name]
	}
	return v
}

func as[T any](r Response, v any, path []string) T {
	r.t.Helper()
	is, ok := v.(T)
	require.Truef(r.t, ok, "%v in %s is a %T", path, r.Body, is)
	return is
}

// Text returns the text at a path.
func (r Response) Text(path ...string) string {
	r.t.Helper()
	return as[string](r, r.Member(path...), path)
}

// Object returns the object at a path.
func (r Response) Object(path ...string) map[string]any {
	r.t.Helper()
	return as[map[string]any](r, r.Member(path...), path)
}

// List returns the objects in the list at a path.
func (r Response) List(path ...string) []map[string]any {
	r.t.Helper()
	list := as[[]any](r, r.Member(path...), path)
	objects := make([]map[string]any, len(list))
	for i, v := range list {
		objects[i] = as[map[string]any](r, v, path)
	}
	return objects
}

// Each returns a member of every object in a list of the data. It is empty where it is not a text.
func (r Response) Each(list, name string) []string {
	r.t.Helper()
	objects := r.List("data", list)
	values := make([]string, len(objects))
	for i, o := range objects {
		values[i], _ = o[name].(string)
	}
	return values
}

// Refused checks that the response is a problem with faults at these pointers or parameters, if there are any.
func (r Response) Refused(status int, code string, at ...string) {
	r.t.Helper()
	if !assert.Equal(r.t, status, r.StatusCode, r.Body) || !assert.Equal(r.t, code, r.Member("code")) || len(at) == 0 {
		return
	}
	var faulty []string
	for _, f := range r.List("errors") {
		if pointer, ok := f["pointer"].(string); ok {
			faulty = append(faulty, pointer)
		} else if parameter, ok := f["parameter"].(string); ok {
			faulty = append(faulty, parameter)
		}
	}
	assert.Equal(r.t, at, slices.Compact(faulty), r.Body) // one part can have several faults
}
