package template

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

type fault struct {
	line int
	text string
}

// scope holds everything that intrinsic functions can refer to. It collects the faults, so
// that one run reports them all.
type scope struct {
	faults     []fault
	parameters map[string]string
	conditions map[string]*yaml.Node
	deciding   map[string]bool // conditions under evaluation, to detect cycles
	decided    map[string]bool
	// resources holds where each resource is declared; absent has those whose condition
	// is false.
	resources map[string]*yaml.Node
	absent    map[string]bool
	// places holds where values were read from, by the pointer to the value.
	places map[any]*yaml.Node
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
		conditions: map[string]*yaml.Node{}, deciding: map[string]bool{}, decided: map[string]bool{},
		resources: map[string]*yaml.Node{}, absent: map[string]bool{}, places: map[any]*yaml.Node{},
	}
}

func (s *scope) fault(n *yaml.Node, format string, args ...any) {
	f := fault{line: n.Line, text: fmt.Sprintf(format, args...)}
	if !slices.Contains(s.faults, f) {
		s.faults = append(s.faults, f)
	}
}

// root are the parts of a template that matter here.
type root struct {
	Parameters, Conditions, Resources *yaml.Node
	Globals                           struct {
		Function *yaml.Node
		_        ignored `cfn:"HttpApi"`
	}
	_ ignored `cfn:"AWSTemplateFormatVersion,Transform,Description,Metadata,Rules,Outputs"`
}

// declare reads the parameters, the conditions and the names of the resources.
func (s *scope) declare(r root, override Override) {
	for _, p := range s.members(r.Parameters) {
		s.parameters[p.key] = s.parameter(p, override)
	}
	for _, c := range s.members(r.Conditions) {
		s.conditions[c.key] = c.value
	}
	resources := s.members(r.Resources)
	for _, r := range resources {
		s.resources[r.key] = r.node
	}
	for _, r := range resources {
		for _, m := range s.members(r.value) {
			if m.key == "Condition" && !s.named(m.value, m.value.Value) {
				s.absent[r.key] = true
			}
		}
	}
}

func (s *scope) parameter(m member, override Override) string {
	p := struct {
		Type, AllowedPattern string
		Default              *string
		AllowedValues        []string
		MinValue, MaxValue   *float64
		_                    ignored `cfn:"Description,ConstraintDescription,NoEcho"`
	}{}
	s.read(m.value, m.value, &p)
	value, given := "", false
	if override != nil {
		value, given = override(m.key)
	}
	if !given && p.Default == nil {
		s.fault(m.value, "parameter %s has no value: set it in the environment as %s", m.key, UpperSnake(m.key))
		return ""
	}
	if !given {
		value = *p.Default
	}
	refuse := func(why string, args ...any) {
		s.fault(m.value, "parameter %s is %q: %s", m.key, value, fmt.Sprintf(why, args...))
	}
	if len(p.AllowedValues) > 0 && !slices.Contains(p.AllowedValues, value) {
		refuse("must be one of %q", p.AllowedValues)
	}
	if fits, err := regexp.MatchString("^(?:"+p.AllowedPattern+")$", value); err != nil {
		refuse("AllowedPattern: %v", err)
	} else if p.AllowedPattern != "" && !fits {
		refuse("must match %s", p.AllowedPattern)
	}
	if p.Type == "Number" {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || p.MinValue != nil && number < *p.MinValue || p.MaxValue != nil && number > *p.MaxValue {
			refuse("must be a number between MinValue and MaxValue")
		}
	}
	return value
}

// UpperSnake returns a parameter's name as an environment variable: RateLimitPerMinute
// becomes RATE_LIMIT_PER_MINUTE.
func UpperSnake(name string) string { return strings.ToUpper(split(name, "_")) }

// kebab returns a logical ID as a folder name: BankSync becomes bank-sync.
func kebab(name string) string { return strings.ToLower(split(name, "-")) }

func split(name, separator string) string {
	return regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "${1}"+separator+"${2}")
}
