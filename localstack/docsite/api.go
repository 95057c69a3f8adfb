package docsite

import (
	"cmp"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// document is what the page of the API shows of docs/openapi.yaml.
type document struct {
	Tags  []struct{ Name, Description string }
	Paths map[string]map[string]operation
}

type operation struct {
	Tags                 []string
	Summary, Description string
	Deprecated           bool
	Security             []map[string][]string

	method, path string
}

// api shows the operations of docs/openapi.yaml, by tag.
func (s *Site) api(w http.ResponseWriter, _ *http.Request) {
	file, err := fs.ReadFile(s.files, "docs/openapi.yaml")
	var d document
	if err == nil {
		err = yaml.Unmarshal(file, &d)
	}
	if err != nil {
		s.page(w, http.StatusInternalServerError, "API", h.P(g.Text(err.Error())))
		return
	}
	byTag := map[string][]operation{}
	for path, methods := range d.Paths {
		for method, o := range methods {
			o.method, o.path = strings.ToUpper(method), path
			byTag[o.Tags[0]] = append(byTag[o.Tags[0]], o)
		}
	}
	s.page(w, http.StatusOK, "API", g.Group{
		h.H1(g.Text("The API")),
		h.P(g.Text("Parameters, bodies and example answers are in "),
			h.A(h.Href(Path+"/openapi.yaml"), g.Text("openapi.yaml")),
			g.Text(", which generators and API clients read; error codes are in "),
			h.A(h.Href(Path+"/errors.md"), g.Text("errors.md")), g.Text(".")),
		g.Map(d.Tags, func(tag struct{ Name, Description string }) g.Node {
			operations := byTag[tag.Name]
			slices.SortFunc(operations, func(a, b operation) int {
				return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
			})
			return g.Group{h.H2(g.Text(tag.Name)), h.P(g.Text(tag.Description)), g.Map(operations, operation.show)}
		}),
	})
}

func (o operation) show() g.Node {
	scope := ""
	for _, s := range o.Security {
		scope = strings.Join(s["oauth2"], ", ")
	}
	return h.Details(
		h.Summary(h.Code(g.Text(o.method+" "+o.path)), g.Text(" "+o.Summary), g.If(o.Deprecated, h.Em(g.Text(" deprecated")))),
		g.If(o.Description != "", h.P(g.Text(o.Description))),
		g.If(scope != "", h.P(g.Text("Scope "), h.Code(g.Text(scope)))),
	)
}
