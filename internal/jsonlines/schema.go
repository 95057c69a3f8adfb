package jsonlines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Schema is a JSON Schema (draft 2020-12) limited to the keywords below. A $ref must
// point to one of the root's $defs, an enum must hold only strings, and uniqueItems
// applies only to strings.
type Schema struct {
	// Annotations for people and editors.
	Dialect     string `json:"$schema"`
	ID          string `json:"$id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Examples    []any  `json:"examples"`
	// ErrorMessage is the problem text for a value that the schema rejects. Some
	// editors show it too. The standard ignores unknown keywords.
	ErrorMessage string `json:"errorMessage"`

	Defs  map[string]*Schema `json:"$defs"`
	Ref   string             `json:"$ref"`
	Type  string             `json:"type"`
	Enum  []string           `json:"enum"`
	Not   *Schema            `json:"not"`
	OneOf []*Schema          `json:"oneOf"`
	AllOf []*Schema          `json:"allOf"`
	If    *Schema            `json:"if"`
	Then  *Schema            `json:"then"`
	Else  *Schema            `json:"else"`

	MinLength *int           `json:"minLength"`
	MaxLength *int           `json:"maxLength"`
	Pattern   *regexp.Regexp `json:"pattern"`
	Format    string         `json:"format"`
	Minimum   *int           `json:"minimum"`
	Maximum   *int           `json:"maximum"`

	Items       *Schema `json:"items"`
	MinItems    *int    `json:"minItems"`
	MaxItems    *int    `json:"maxItems"`
	UniqueItems bool    `json:"uniqueItems"`

	Properties           map[string]*Schema `json:"properties"`
	AdditionalProperties *Schema            `json:"additionalProperties"`
	PropertyNames        *Schema            `json:"propertyNames"`
	Required             []string           `json:"required"`
	MaxProperties        *int               `json:"maxProperties"`
}

// UnmarshalJSON implements json.Unmarshaler. It accepts false, the schema that rejects
// every value, and fails for keywords that are not checked here.
func (s *Schema) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		*s = Schema{Not: &Schema{}, ErrorMessage: "unknown member"}
		return nil
	}
	type plain Schema
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(s))
}

// checker validates one line.
type checker struct {
	defs     map[string]*Schema
	formats  Formats
	problems []Problem
	// trial is set when only the outcome counts, as for the keyword if.
	trial bool
}

// fail adds a problem, unless there is already one for the same path.
func (c *checker) fail(path, text string) {
	if !slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Path == path }) {
		c.problems = append(c.problems, Problem{Path: path, Text: text})
	}
}

// isValid reports whether a value is valid, without adding problems.
func (c *checker) isValid(s *Schema, v any) bool {
	trial := checker{defs: c.defs, formats: c.formats, trial: true}
	trial.check(s, "", v)
	return len(trial.problems) == 0
}

func (c *checker) matchesOne(choices []*Schema, v any) bool {
	n := 0
	for _, s := range choices {
		if c.isValid(s, v) {
			n++
		}
	}
	return n == 1
}

func (c *checker) check(s *Schema, path string, v any) {
	if s.Ref != "" {
		c.check(c.defs[strings.TrimPrefix(s.Ref, "#/$defs/")], path, v)
	}
	if s.Type != "" && s.Type != typeOf(v) {
		c.fail(path, "must be "+typeName(s.Type))
		return
	}
	if s.OneOf != nil && !c.matchesOne(s.OneOf, v) {
		c.fail(path, s.ErrorMessage)
		return
	}
	if s.Not != nil && c.isValid(s.Not, v) {
		c.fail(path, s.ErrorMessage)
	}
	switch v := v.(type) {
	case string:
		c.checkString(s, path, v)
	case json.Number:
		c.checkNumber(s, path, v)
	case []any:
		c.checkArray(s, path, v)
	case *object:
		c.checkObject(s, path, v)
	}
	for _, part := range s.AllOf {
		c.check(part, path, v)
	}
	if s.If == nil {
		return
	}
	if branch := s.branch(c.isValid(s.If, v)); branch != nil {
		c.check(branch, path, v)
	}
}

func (s *Schema) branch(valid bool) *Schema {
	if valid {
		return s.Then
	}
	return s.Else
}

// typeOf returns the schema's name for the type of v. Every number counts as an
// integer; checkNumber rejects the others.
func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case json.Number:
		return "integer"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case *object:
		return "object"
	default:
		return "null"
	}
}

func typeName(kind string) string {
	switch kind {
	case "integer":
		return "a whole number"
	case "array", "object":
		return "an " + kind
	default:
		return "a " + kind
	}
}

// messageOr returns the schema's own error message, or fallback if it has none.
func (s *Schema) messageOr(fallback string) string {
	if s.ErrorMessage != "" {
		return s.ErrorMessage
	}
	return fallback
}

func (c *checker) checkString(s *Schema, path, text string) {
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, text):
		c.fail(path, s.messageOr("must be "+choice(s.Enum)))
	case outside(utf8.RuneCountInString(text), s.MinLength, s.MaxLength):
		c.fail(path, s.messageOr("must have "+bounds(s.MinLength, s.MaxLength)+" characters"))
	case s.Pattern != nil && !s.Pattern.MatchString(text):
		c.fail(path, s.messageOr("must match "+s.Pattern.String()))
	case s.Format != "":
		if problem := c.formats[s.Format](text); problem != "" {
			c.fail(path, problem)
		}
	}
}

// checkNumber accepts only integers written without a fraction or an exponent.
func (c *checker) checkNumber(s *Schema, path string, number json.Number) {
	n, err := strconv.Atoi(number.String())
	if err != nil || outside(n, s.Minimum, s.Maximum) {
		c.fail(path, s.messageOr("must be a whole number, "+bounds(s.Minimum, s.Maximum)))
	}
}

func (c *checker) checkArray(s *Schema, path string, list []any) {
	if outside(len(list), s.MinItems, s.MaxItems) {
		c.fail(path, "must have "+bounds(s.MinItems, s.MaxItems)+" elements")
		return
	}
	seen := map[string]bool{}
	for i, item := range list {
		at := path + "/" + strconv.Itoa(i)
		if s.Items != nil {
			c.check(s.Items, at, item)
		}
		if text, ok := item.(string); ok && s.UniqueItems {
			if seen[text] {
				c.fail(at, "is a duplicate")
			}
			seen[text] = true
		}
	}
}

func (c *checker) checkObject(s *Schema, path string, o *object) {
	if !c.trial {
		for _, name := range o.duplicates {
			c.fail(Member(path, name), "duplicate member")
		}
	}
	for _, name := range o.names {
		at := Member(path, name)
		if s.PropertyNames != nil {
			c.check(s.PropertyNames, at, name)
		}
		if member := s.Properties[name]; member != nil {
			c.check(member, at, o.members[name])
		} else if s.AdditionalProperties != nil {
			c.check(s.AdditionalProperties, at, o.members[name])
		}
	}
	for _, name := range s.Required {
		if _, exists := o.members[name]; !exists {
			c.fail(Member(path, name), "the member is required")
		}
	}
	if outside(len(o.names), nil, s.MaxProperties) {
		c.fail(path, "must have "+bounds(nil, s.MaxProperties)+" members")
	}
}

func outside(n int, least, most *int) bool {
	return least != nil && n < *least || most != nil && n > *most
}

func bounds(least, most *int) string {
	switch {
	case least == nil:
		return fmt.Sprintf("at most %d", *most)
	case most == nil:
		return fmt.Sprintf("at least %d", *least)
	default:
		return fmt.Sprintf("%d to %d", *least, *most)
	}
}

// choice returns "a, b or c".
func choice(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Member returns the JSON Pointer (RFC 6901) of an object's member. If the name is
// empty, long or not printable, it returns the pointer of the object instead.
func Member(path, name string) string {
	const longest = 40
	if name == "" || utf8.RuneCountInString(name) > longest || OneLine(name) != "" {
		return path
	}
	// Not a strings.Replacer: building one takes longer than checking the whole line.
	return path + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
