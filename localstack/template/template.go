// Package template reads template.yaml, so that the local stack has exactly the routes,
// tables, queues and mappings that are deployed. It supports the part of SAM and
// CloudFormation that decides how the service behaves. Anything else that would make a
// difference is an error with its line, and is never skipped.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Region and Account are the local values of AWS::Region and AWS::AccountId.
const (
	Region  = "eu-central-1"
	Account = "000000000000"
)

// Template holds a stack's resources, with parameters and conditions applied. Resources
// whose condition is false are missing. Every list is in the template's order.
type Template struct {
	Functions         []Function
	Routes            []Route
	Streams           []StreamMapping
	QueueMappings     []QueueMapping
	LogSubscriptions  []LogSubscription
	Schedules         []Schedule
	Rules             []Rule
	Tables            []Table
	Queues            []Queue
	Secrets           []Secret
	ConfigurationSets []ConfigurationSet
	EmailIdentities   []EmailIdentity
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

// Parse parses the template in src. The error has every fault with its line in the file
// called name.
func Parse(src []byte, name string, override Override) (*Template, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(src, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(document.Content) == 0 {
		return nil, fmt.Errorf("%s: empty", name)
	}
	s := newScope()
	var root root
	s.read(document.Content[0], document.Content[0], &root)
	s.declare(root, override)
	t := &Template{}
	s.build(t, root)
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

// IdentityOf returns the identity that may send mail as an address: the address itself, its
// domain, or a parent domain.
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
