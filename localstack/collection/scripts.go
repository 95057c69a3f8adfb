package collection

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// maxTries bounds how often a request is repeated, half a second apart.
const maxTries = 60

// redirected are the statuses of a page that sends the browser on.
const redirected = "pm.expect(pm.response.code).to.be.oneOf([302, 303])"

// success returns the last of an operation's successful statuses, and the media type and
// schema of its answer. createUser returns 201 for a new user, 200 for a known one.
func success(o called) (status string, answer *huma.MediaType) {
	for s, r := range o.Responses {
		if strings.HasPrefix(s, "2") && s > status {
			status, answer = s, r.Content["application/json"]
		}
	}
	return status, answer
}

// test returns the code that runs after an operation.
func (b builder) test(s step, status string, answer *huma.MediaType) string {
	if s.refused != "" {
		status, answer = s.refused, nil
	}
	var lines []string
	if answer != nil {
		lines = append(lines, "const body = pm.response.json();")
	}
	tests := s.results("pm.response.to.have.status(" + status + ")")
	if answer != nil {
		members := slices.DeleteFunc(b.required(answer.Schema, ""), func(member string) bool {
			return s.mayBeEmpty && strings.Contains(member, "[0]")
		})
		if len(members) > 0 {
			quoted, _ := json.Marshal(members)
			tests = slices.Insert(tests, 1, `pm.test("Required members are there", () => {`,
				"  for (const path of "+strings.ReplaceAll(string(quoted), `","`, `", "`)+") {",
				"    pm.expect(body).to.have.nested.property(path);",
				"  }",
				"});")
		}
	}
	if s.until == "" {
		return strings.Join(append(lines, tests...), "\n")
	}
	lines = append(lines,
		`const tries = Number(pm.collectionVariables.get("tries"));`,
		"const done = "+s.until+";",
		"if (!done && tries < "+strconv.Itoa(maxTries)+") {",
		"  // Not yet. A run of the collection sends it again; if you send it alone, repeat it yourself.",
		`  pm.collectionVariables.set("tries", String(tries + 1));`,
		"  setTimeout(() => {}, 500);",
		"  pm.execution.setNextRequest(pm.info.requestName);",
		"} else {",
		`  pm.collectionVariables.set("tries", "0");`,
	)
	for _, line := range append([]string{`pm.test("In time", () => pm.expect(done).to.equal(true));`}, tests...) {
		lines = append(lines, "  "+line)
	}
	return strings.Join(append(lines, "}"), "\n")
}

// results returns the code of the step's tests and of the variables that it sets.
func (s step) results(status string) []string {
	lines := []string{`pm.test("Status", () => ` + status + ");"}
	if s.check != "" {
		lines = append(lines, `pm.test("Result", () => pm.expect(`+s.check+").to.equal(true));")
	}
	for _, name := range slices.Sorted(maps.Keys(s.sets)) {
		lines = append(lines, `pm.collectionVariables.set("`+name+`", `+s.sets[name]+");")
	}
	return lines
}

// required returns the paths of the members that an answer must have. A list directly in
// data has an element, because the requests before made one.
func (b builder) required(s *huma.Schema, path string) []string {
	if s.Ref != "" {
		s = b.document.Components.Schemas.SchemaFromRef(s.Ref)
	}
	switch {
	case s.Type == huma.TypeArray && strings.HasPrefix(path, "data.") && !strings.ContainsAny(path[5:], ".["):
		return b.required(s.Items, path+"[0]")
	case len(s.Required) == 0:
		if path == "" {
			return nil
		}
		return []string{path}
	}
	var all []string
	for _, name := range s.Required {
		all = append(all, b.required(s.Properties[name], strings.TrimPrefix(path+"."+name, "."))...)
	}
	return all
}
