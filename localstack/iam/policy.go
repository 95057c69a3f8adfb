// Package iam is a proxy between the local stack's functions and its AWS services. It
// allows only what a function's policies in template.yaml allow, so a permission missing
// there is also missing locally. It supports the part of IAM that these policies use.
package iam

import (
	"fmt"
	"slices"
	"strings"
)

// Statement allows actions on resources, under conditions.
type Statement struct {
	Actions []string
	// Resources are ARNs, in which * matches any text.
	Resources  []string
	Conditions []Condition
}

// Condition limits a statement to requests with certain values for Key.
type Condition struct {
	// Operator is ForAllValues:StringEquals or ForAllValues:StringLike.
	Operator string
	Key      string
	Values   []string
}

// Request is one action on one resource.
type Request struct {
	Action, Resource string
	// Values are the values for conditions, by key.
	Values map[string][]string
}

func (r Request) String() string { return r.Action + " on " + r.Resource }

// leadingKeys is the condition key for the partition keys that a request accesses.
const leadingKeys = "dynamodb:LeadingKeys"

// Check returns an error if a statement has an unsupported condition.
func Check(statements []Statement) error {
	for _, s := range statements {
		for _, c := range s.Conditions {
			known := c.Operator == "ForAllValues:StringEquals" || c.Operator == "ForAllValues:StringLike"
			if c.Key != leadingKeys || !known {
				return fmt.Errorf("the local stack does not support the condition %s on %s", c.Operator, c.Key)
			}
		}
	}
	return nil
}

// Allowed reports whether a statement allows the request.
func Allowed(statements []Statement, r Request) bool {
	return slices.ContainsFunc(statements, func(s Statement) bool {
		return slices.Contains(s.Actions, r.Action) &&
			slices.ContainsFunc(s.Resources, func(pattern string) bool { return like(pattern, r.Resource) }) &&
			!slices.ContainsFunc(s.Conditions, func(c Condition) bool { return !c.holds(r.Values[c.Key]) })
	})
}

// holds reports whether all values match. Like ForAllValues, it is true without values.
func (c Condition) holds(values []string) bool {
	same := like
	if strings.HasSuffix(c.Operator, "StringEquals") {
		same = func(want, value string) bool { return want == value }
	}
	for _, value := range values {
		if !slices.ContainsFunc(c.Values, func(want string) bool { return same(want, value) }) {
			return false
		}
	}
	return true
}

// like reports whether text matches a pattern in which * matches any text.
func like(pattern, text string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	for i := range len(text) + 1 {
		if like(rest, text[i:]) {
			return true
		}
	}
	return false
}
