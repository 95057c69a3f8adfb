package cataloguefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place is where something stands in a file, for what may be wrong with it.
type place struct {
	file *file
	line int
	path string
}

// maxShownName is the longest name of a member that a path shows.
const maxShownName = 40

// member is the place of a member. One with a name that is unfit to be shown is
// told by where it is.
func (p place) member(name string) place {
	if lineProblem(name, maxShownName) != "" {
		return p
	}
	p.path += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	return p
}

func (p place) element(i int) place {
	p.path += "/" + strconv.Itoa(i)
	return p
}

// fail notes a problem.
func (p place) fail(text string) {
	p.file.problems = append(p.file.problems, Problem{Line: p.line, Path: p.path, Text: text})
}

// is tells whether a value is of a kind, or notes that it must be.
func (p place) is(v node, k kind) bool {
	if v.kind != k {
		p.fail("must be " + string(k))
	}
	return v.kind == k
}

// line1 is a text of one line and at most so many characters; empty, with its
// problem noted, where it is not.
func (p place) line1(v node, most int) string {
	if !p.is(v, kindString) {
		return ""
	}
	if problem := lineProblem(v.text, most); problem != "" {
		p.fail(problem)
		return ""
	}
	return v.text
}

// members are those of an object, each to be taken once.
type members struct {
	place
	byName map[string]node
	order  []string
}

// object begins to read an object. Its members are none where it is none.
func (p place) object(v node) (members, bool) {
	if !p.is(v, kindObject) {
		return members{place: p}, false
	}
	for _, name := range v.repeated {
		p.member(name).fail("the member is there twice")
	}
	return members{place: p, byName: v.members, order: v.order}, true
}

// names are those of the members that have yet to be taken, in order.
func (m members) names() []string {
	return slices.DeleteFunc(slices.Clone(m.order), func(name string) bool { _, there := m.byName[name]; return !there })
}

// take is the member of that name, if there is one.
func (m members) take(name string) (node, bool) {
	v, there := m.byName[name]
	delete(m.byName, name)
	return v, there
}

// require is take for a member that has to be there.
func (m members) require(name string) (node, bool) {
	v, there := m.take(name)
	if !there {
		m.member(name).fail("the member is required")
	}
	return v, there
}

// done notes the members that nobody has asked for.
func (m members) done() {
	for _, name := range m.names() {
		m.member(name).fail("unknown member")
	}
}

// text requires a text of one line.
func (m members) text(name string, most int) string {
	v, there := m.require(name)
	if !there {
		return ""
	}
	return m.member(name).line1(v, most)
}

// truth is false where the member is not there.
func (m members) truth(name string) bool {
	v, there := m.take(name)
	return there && m.member(name).is(v, kindBool) && v.truth
}

// list requires an array of at least one element and at most so many.
func (m members) list(name string, most int) []node {
	v, there := m.require(name)
	if !there || !m.member(name).is(v, kindArray) {
		return nil
	}
	if len(v.items) == 0 || len(v.items) > most {
		m.member(name).fail(fmt.Sprintf("must have 1 to %d elements", most))
		return nil
	}
	return v.items
}

// slug requires a slug; it is empty where it is not one.
func (m members) slug(name string) string {
	v, there := m.require(name)
	if !there || !m.member(name).is(v, kindString) {
		return ""
	}
	if len(v.text) > maxSlug || !slugPattern.MatchString(v.text) {
		m.member(name).fail("must be 1 to 100 lower-case letters and digits, in words parted by single hyphens")
		return ""
	}
	return v.text
}
