package template

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

type fault struct {
	line int
	text string
}

// scope holds what intrinsic functions may refer to, and collects the faults, so
// that one run names them all.
type scope struct {
	faults     []fault
	parameters map[string]string
	conditions map[string]item
	deciding   map[string]bool // conditions under evaluation, against cycles
	decided    map[string]bool
	// resources are where each one is declared; absent those whose condition is false.
	resources map[string]*yaml.Node
	absent    map[string]bool
}

func newScope() *scope {
	return &scope{
		parameters: map[string]string{
			"AWS::Region":    Region,
			"AWS::AccountId": Account,
			"AWS::Partition": "aws",
			"AWS::URLSuffix": "amazonaws.com",
			"AWS::StackName": "aviso-local",
		},
		conditions: map[string]item{},
		deciding:   map[string]bool{},
		decided:    map[string]bool{},
		resources:  map[string]*yaml.Node{},
		absent:     map[string]bool{},
	}
}

func (s *scope) at(n *yaml.Node) item { return item{s: s, n: n} }

func (s *scope) fault(n *yaml.Node, format string, args ...any) {
	f := fault{line: n.Line, text: fmt.Sprintf(format, args...)}
	if !slices.Contains(s.faults, f) {
		s.faults = append(s.faults, f)
	}
}

// declare takes in parameters, conditions and the names of the resources.
func (s *scope) declare(root object, override Override) {
	for _, p := range root.get("Parameters").entries() {
		s.parameters[p.key] = s.parameter(p, override)
	}
	for _, c := range root.get("Conditions").entries() {
		s.conditions[c.key] = c.item
	}
	for _, r := range root.get("Resources").entries() {
		s.resources[r.key] = r.node
	}
	for _, r := range root.get("Resources").entries() {
		if condition := r.item.lookup("Condition"); condition.n != nil && !s.condition(condition.n) {
			s.absent[r.key] = true
		}
	}
}

func (s *scope) parameter(p entry, override Override) string {
	o := p.item.object("Type", "Default", "AllowedValues", "AllowedPattern", "MinValue", "MaxValue",
		"MinLength", "MaxLength", "Description", "ConstraintDescription", "NoEcho")
	kind := o.text("Type", "String")
	value, given := "", false
	if override != nil {
		value, given = override(p.key)
	}
	if !given {
		if !o.has("Default") {
			s.fault(p.item.where(), "parameter %s has no value: set it in the environment as %s", p.key, UpperSnake(p.key))
			return ""
		}
		value = o.text("Default", "")
	}
	refuse := func(why string, args ...any) {
		s.fault(p.item.where(), "parameter %s is %q: %s", p.key, value, fmt.Sprintf(why, args...))
	}
	if allowed := o.get("AllowedValues").texts(); len(allowed) > 0 && !slices.Contains(allowed, value) {
		refuse("want one of %q", allowed)
	}
	if pattern := o.text("AllowedPattern", ""); pattern != "" {
		re, err := regexp.Compile("^(?:" + pattern + ")$")
		if err != nil {
			refuse("AllowedPattern: %v", err)
		} else if !re.MatchString(value) {
			refuse("want %s", pattern)
		}
	}
	low, high := o.int("MinLength", 0), o.int("MaxLength", math.MaxInt)
	if len(value) < low || len(value) > high {
		refuse("its length is out of bounds")
	}
	if kind == "Number" {
		number, err := strconv.ParseFloat(value, 64)
		low, high := o.int("MinValue", math.MinInt), o.int("MaxValue", math.MaxInt)
		if err != nil || number < float64(low) || number > float64(high) {
			refuse("want a number between its bounds")
		}
	}
	return value
}

// UpperSnake spells a parameter's name as an environment variable:
// RateLimitPerMinute is RATE_LIMIT_PER_MINUTE.
func UpperSnake(name string) string { return spell(name, '_', 'A'-'a') }

// kebab spells a logical id as a folder: BankSync is bank-sync.
func kebab(name string) string { return spell(name, '-', 0) }

func spell(name string, separator byte, shift int) string {
	var out []byte
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				out = append(out, separator)
			}
			c += 'a' - 'A'
		}
		if c >= 'a' && c <= 'z' {
			c = byte(int(c) + shift)
		}
		out = append(out, c)
	}
	return string(out)
}
