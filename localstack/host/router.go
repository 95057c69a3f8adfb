package host

import (
	"cmp"
	"slices"
	"strings"

	"aviso/localstack/template"
)

// router finds the route of a request as an HTTP API does. Among the routes for the
// method, the most specific path wins: in each segment, fixed text goes before {name} and
// {name} before {name+}. For the same path, the method goes before ANY. $default is for
// everything else.
type router struct {
	routes   []route
	fallback *template.Route
}

type route struct {
	template.Route
	segments []string
}

// match is a route with the values of its path parameters.
type match struct {
	template.Route
	parameters map[string]string
}

// key is API Gateway's name for the route, such as "ANY /pets/{id}".
func (m match) key() string {
	if m.Path == "$default" {
		return m.Path
	}
	return m.Method + " " + m.Path
}

func newRouter(routes []template.Route) *router {
	r := &router{}
	for _, t := range routes {
		if t.Path == "$default" {
			r.fallback = &t
			continue
		}
		r.routes = append(r.routes, route{Route: t, segments: strings.Split(t.Path, "/")[1:]})
	}
	slices.SortStableFunc(r.routes, moreSpecific)
	return r
}

func (r *router) find(method, path string) (match, bool) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, candidate := range r.routes {
		if candidate.Method != "ANY" && candidate.Method != method {
			continue
		}
		if parameters, ok := candidate.fit(segments); ok {
			return match{Route: candidate.Route, parameters: parameters}, true
		}
	}
	if r.fallback != nil {
		return match{Route: *r.fallback}, true
	}
	return match{}, false
}

func (r route) fit(segments []string) (map[string]string, bool) {
	parameters := map[string]string{}
	for i, want := range r.segments {
		if i >= len(segments) {
			return nil, false
		}
		name, kind := parameter(want)
		switch kind {
		case greedy:
			rest := strings.Join(segments[i:], "/")
			parameters[name] = rest
			return parameters, rest != ""
		case single:
			if segments[i] == "" {
				return nil, false
			}
			parameters[name] = segments[i]
		case fixed:
			if segments[i] != want {
				return nil, false
			}
		}
	}
	return parameters, len(segments) == len(r.segments)
}

// The kinds of segments, the most specific first.
const (
	fixed = iota
	single
	greedy
)

func parameter(segment string) (name string, kind int) {
	inner, ok := strings.CutPrefix(segment, "{")
	if !ok {
		return "", fixed
	}
	inner = strings.TrimSuffix(inner, "}")
	if name, ok := strings.CutSuffix(inner, "+"); ok {
		return name, greedy
	}
	return inner, single
}

func moreSpecific(a, b route) int {
	for i := range min(len(a.segments), len(b.segments)) {
		_, kindA := parameter(a.segments[i])
		_, kindB := parameter(b.segments[i])
		if kindA != kindB {
			return cmp.Compare(kindA, kindB)
		}
	}
	if len(a.segments) != len(b.segments) {
		return cmp.Compare(len(b.segments), len(a.segments))
	}
	if (a.Method == "ANY") != (b.Method == "ANY") {
		if a.Method == "ANY" {
			return 1
		}
		return -1
	}
	return 0
}
