// Package template reads template.yaml, so that the local stack has exactly the deployed routes, tables, queues and
// mappings. It supports the part of SAM and CloudFormation that decides how the service behaves. Anything else with
// an effect is an error with its line, and is never skipped.
//
// It evaluates intrinsic functions itself. goformation's processor turns references to resources and conditions of
// conditions into null, and does not report lines.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Region and Account are the local values of AWS::Region and AWS::AccountId.
const (
	Region  = "eu-central-1"
	Account = "000000000000"
)

// ARN returns the local ARN of a resource.
func ARN(service, resource string) string {
	return "arn:aws:" + service + ":" + Region + ":" + Account + ":" + resource
}

// Override returns the value of a parameter, or false to use its default.
type Override func(parameter string) (string, bool)

// Load reads the template from the file at path.
func Load(path string, override Override) (*Template, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	return Parse(src, filepath.Base(path), override)
}

// Parse parses the template in src. The error has every fault with its line. name is the name of the file in errors.
func Parse(src []byte, name string, override Override) (*Template, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(src, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(document.Content) == 0 {
		return nil, fmt.Errorf("%s: empty", name)
	}
	s := &scope{
		parameters: map[string]string{
			"AWS::Region": Region, "AWS::AccountId": Account, "AWS::Partition": "aws",
			"AWS::URLSuffix": "amazonaws.com", "AWS::StackName": "aviso-local",
		},
		numbers: map[string]bool{}, conditions: map[string]*yaml.Node{}, deciding: map[string]bool{},
		resources: map[string]*yaml.Node{}, absent: map[string]bool{},
		roles: map[string][]Statement{}, groups: map[string]string{},
	}
	t := &Template{Parameters: s.parameters, Has: map[string]bool{}}
	s.build(t, document.Content[0], override)
	if len(s.faults) > 0 {
		slices.SortStableFunc(s.faults, func(a, b fault) int { return cmp.Compare(a.line, b.line) })
		errs := make([]error, len(s.faults))
		for i, f := range s.faults {
			errs[i] = fmt.Errorf("%s:%d: %s", name, f.line, f.text)
		}
		return nil, errors.Join(errs...)
	}
	return t, nil
}

// build reads the template at n.
func (s *scope) build(t *Template, n *yaml.Node, override Override) {
	root := map[string]*yaml.Node{"Globals": {Kind: yaml.MappingNode}}
	for _, m := range s.members(n) {
		root[m.key] = m.value
	}
	for _, p := range s.members(root["Parameters"]) {
		s.parameters[p.key] = s.parameter(p, override)
	}
	for _, c := range s.members(root["Conditions"]) {
		s.conditions[c.key] = c.value
	}
	resources := s.members(root["Resources"])
	for _, r := range resources {
		s.resources[r.key] = r.node
	}
	for _, r := range resources {
		if c := s.child(r.value, "Condition"); c != r.value && !s.named(c, c.Value) {
			s.absent[r.key] = true
		}
	}
	for _, m := range resources {
		if !s.absent[m.key] {
			t.Has[m.key] = true
			s.add(t, m, s.child(root["Globals"], "Function"))
		}
	}
	s.link(t)
}

func (s *scope) parameter(m member, override Override) string {
	var p struct {
		Type, AllowedPattern                       string
		Default                                    *Value
		AllowedValues                              list
		MinValue, MaxValue                         *float64
		Description, ConstraintDescription, NoEcho any
	}
	s.read(m.value, &p)
	value, given := "", false
	if override != nil {
		value, given = override(m.key)
	}
	if !given && p.Default == nil {
		s.fault(m.node, "parameter %s has no value: set it in the environment as %s", m.key, UpperSnake(m.key))
		return ""
	}
	if !given {
		value = string(*p.Default)
	}
	refuse := func(why string, args ...any) {
		s.fault(m.node, "parameter %s is %q: %s", m.key, value, fmt.Sprintf(why, args...))
	}
	if len(p.AllowedValues) > 0 && !slices.Contains(p.AllowedValues, Value(value)) {
		refuse("must be one of %q", p.AllowedValues)
	}
	if fits, err := regexp.MatchString("^(?:"+p.AllowedPattern+")$", value); err != nil {
		refuse("AllowedPattern: %v", err)
	} else if p.AllowedPattern != "" && !fits {
		refuse("must match %s", p.AllowedPattern)
	}
	if p.Type == "Number" {
		s.numbers[m.key] = true
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || p.MinValue != nil && number < *p.MinValue || p.MaxValue != nil && number > *p.MaxValue {
			refuse("must be a number between MinValue and MaxValue")
			delete(s.numbers, m.key)
		}
	}
	return value
}

// UpperSnake returns a parameter's name as an environment variable: RateLimitPerMinute becomes RATE_LIMIT_PER_MINUTE.
func UpperSnake(name string) string { return strings.ToUpper(split(name, "_")) }

// kebab returns a logical ID as a folder name: BankSync becomes bank-sync.
func kebab(name string) string { return strings.ToLower(split(name, "-")) }

func split(name, separator string) string {
	return regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "${1}"+separator+"${2}")
}

// Table returns the table with this logical ID.
func (t *Template) Table(id string) (Table, bool) {
	return find(t.Tables, func(table Table) bool { return table.ID == id })
}

// Queue returns the queue with this logical ID.
func (t *Template) Queue(id string) (Queue, bool) {
	return find(t.Queues, func(queue Queue) bool { return queue.ID == id })
}

// Function returns the function with this logical ID.
func (t *Template) Function(id string) (Function, bool) {
	return find(t.Functions, func(function Function) bool { return function.ID == id })
}

// IdentityOf returns the identity that may send mail as an address: the address itself, its domain, or a parent
// domain.
func IdentityOf(identities []EmailIdentity, address string) (EmailIdentity, bool) {
	names := []string{address}
	domain := address[strings.LastIndex(address, "@")+1:]
	for ; domain != ""; _, domain, _ = strings.Cut(domain, ".") {
		names = append(names, domain)
	}
	for _, name := range names {
		if i, ok := find(identities, func(i EmailIdentity) bool { return strings.EqualFold(i.Name, name) }); ok {
			return i, true
		}
	}
	return EmailIdentity{}, false
}

func find[T any](list []T, is func(T) bool) (T, bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	var none T
	return none, false
}

// Preset returns the parameters under a name in the folder's samconfig.toml: an environment's name, or "large".
func Preset(folder, name string) (map[string]string, error) {
	src, err := os.ReadFile(filepath.Join(folder, "samconfig.toml"))
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}
	_, section, _ := strings.Cut(string(src), "["+name+".deploy.parameters]\n")
	section, _, _ = strings.Cut(section, "\n[")
	_, line, found := strings.Cut(section, "parameter_overrides = ")
	if !found {
		return nil, fmt.Errorf("samconfig.toml has no parameters for %q", name)
	}
	line, _, _ = strings.Cut(line, "\n")
	given := map[string]string{}
	for _, m := range regexp.MustCompile(`"(\w+)=([^"]*)"`).FindAllStringSubmatch(line, -1) {
		given[m[1]] = m[2]
	}
	return given, nil
}
