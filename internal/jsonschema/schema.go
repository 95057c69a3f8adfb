package jsonschema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
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

// Options configure the checks that schemas leave open.
type Options struct {
	// Formats must include every format that the schema names.
	Formats Formats
	// PlainIntegers rejects integers with a fraction or an exponent, such as 1.0 and
	// 1e2, which encoding/json does not decode into an int.
	PlainIntegers bool
}

// Formats are the checks for the keyword format. Each returns the problem of a string, or "" if the string is valid.
type Formats map[string]func(string) string

// Fault is a value that a schema rejects.
type Fault struct {
	// Path has the names and indexes that lead to the value.
	Path []string
	// Keyword is the keyword of Schema that rejects the value. "length", "range" and "items" stand for the keywords
	// with their limits. It is "type" for a number that must be an integer, and "not" for additionalProperties: false.
	Keyword string
	Schema  *Schema
	// Text describes the expected value. It never repeats the actual one.
	Text string
}

// MaxFaults is the number of faults after which a check stops.
const MaxFaults = 101

// Check validates a value that encoding/json has decoded with UseNumber. It returns at most one fault for each path.
func (s *Schema) Check(v any, o Options) []Fault {
	c := checker{Options: o, defs: s.Defs}
	c.check(s, v)
	return c.faults
}

// checker validates one value.
type checker struct {
	Options

	defs   map[string]*Schema
	path   []string
	faults []Fault
}

// fail adds a fault at the current path, unless there is already one.
func (c *checker) fail(s *Schema, keyword, text string) {
	known := slices.ContainsFunc(c.faults, func(f Fault) bool { return slices.Equal(f.Path, c.path) })
	if !known && len(c.faults) < MaxFaults {
		c.faults = append(c.faults, Fault{slices.Clone(c.path), keyword, s, text})
	}
}

// at calls visit with a name added to the path.
func (c *checker) at(name string, visit func()) {
	c.path = append(c.path, name)
	visit()
	c.path = c.path[:len(c.path)-1]
}

// isValid reports whether a value is valid, without adding faults.
func (c *checker) isValid(s *Schema, v any) bool {
	trial := checker{Options: c.Options, defs: c.defs}
	trial.check(s, v)
	return len(trial.faults) == 0
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

func (c *checker) check(s *Schema, v any) {
	if len(c.faults) == MaxFaults {
		return
	}
	if s.Ref != "" {
		c.check(c.defs[strings.TrimPrefix(s.Ref, "#/$defs/")], v)
	}
	if s.Type != "" && s.Type != typeOf(v) {
		c.fail(s, "type", "must be "+typeName(s.Type))
		return
	}
	if s.OneOf != nil && !c.matchesOne(s.OneOf, v) {
		c.fail(s, "oneOf", s.ErrorMessage)
		return
	}
	if s.Not != nil && c.isValid(s.Not, v) {
		c.fail(s, "not", s.ErrorMessage)
	}
	switch v := v.(type) {
	case string:
		c.checkString(s, v)
	case json.Number:
		c.checkNumber(s, v)
	case []any:
		c.checkArray(s, v)
	case map[string]any:
		c.checkObject(s, v)
	}
	for _, part := range s.AllOf {
		c.check(part, v)
	}
	if s.If == nil {
		return
	}
	branch := s.Else
	if c.isValid(s.If, v) {
		branch = s.Then
	}
	if branch != nil {
		c.check(branch, v)
	}
}

// typeOf returns the schema's name for the type of v. It calls every number an integer; checkNumber rejects numbers
// that are not.
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
	case map[string]any:
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

func (c *checker) checkString(s *Schema, text string) {
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, text):
		c.fail(s, "enum", cmp.Or(s.ErrorMessage, "must be "+choice(s.Enum)))
	case outside(utf8.RuneCountInString(text), s.MinLength, s.MaxLength):
		c.fail(s, "length", cmp.Or(s.ErrorMessage, "must have "+bounds(s.MinLength, s.MaxLength)+" characters"))
	case s.Pattern != nil && !s.Pattern.MatchString(text):
		c.fail(s, "pattern", cmp.Or(s.ErrorMessage, "must match "+s.Pattern.String()))
	case s.Format != "":
		if problem := c.Formats[s.Format](text); problem != "" {
			c.fail(s, "format", problem)
		}
	}
}

func (c *checker) checkNumber(s *Schema, number json.Number) {
	n, err := number.Float64()
	integer := err == nil && n == math.Trunc(n)
	if c.PlainIntegers {
		_, err := strconv.Atoi(number.String())
		integer = err == nil
	}
	var keyword string
	switch {
	case s.Type == "integer" && !integer:
		keyword = "type"
	case outside(n, s.Minimum, s.Maximum):
		keyword = "range"
	default:
		return
	}
	text := "must be a whole number"
	if s.Minimum != nil || s.Maximum != nil {
		text += ", " + bounds(s.Minimum, s.Maximum)
	}
	c.fail(s, keyword, cmp.Or(s.ErrorMessage, text))
}

func (c *checker) checkArray(s *Schema, list []any) {
	if outside(len(list), s.MinItems, s.MaxItems) {
		c.fail(s, "items", "must have "+bounds(s.MinItems, s.MaxItems)+" elements")
		return
	}
	seen := map[string]bool{}
	for i, item := range list {
		c.at(strconv.Itoa(i), func() {
			if s.Items != nil {
				c.check(s.Items, item)
			}
			if text, ok := item.(string); ok && s.UniqueItems {
				if seen[text] {
					c.fail(s, "uniqueItems", "is a duplicate")
				}
				seen[text] = true
			}
		})
	}
}

func (c *checker) checkObject(s *Schema, o map[string]any) {
	if outside(len(o), nil, s.MaxProperties) {
		c.fail(s, "maxProperties", "must have "+bounds(nil, s.MaxProperties)+" members")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		c.at(name, func() {
			if s.PropertyNames != nil {
				c.check(s.PropertyNames, name)
			}
			if member := s.Properties[name]; member != nil {
				c.check(member, o[name])
			} else if s.AdditionalProperties != nil {
				c.check(s.AdditionalProperties, o[name])
			}
		})
	}
	for _, name := range s.Required {
		if _, exists := o[name]; !exists {
			c.at(name, func() { c.fail(s, "required", "the member is required") })
		}
	}
}

func outside[N int | float64](n N, least, most *int) bool {
	return least != nil && n < N(*least) || most != nil && n > N(*most)
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

// Escape escapes a name for a JSON Pointer (RFC 6901).
func Escape(name string) string {
	// Not a strings.Replacer: building one takes longer than checking a whole line.
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
