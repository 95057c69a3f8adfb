// Package iam stands between the functions of the local stack and its AWS
// services, and lets through what the function's policies in template.yaml
// allow: a right that is missing there is missing here, too. It knows the part of
// IAM that these policies use.
package iam

import (
	"fmt"
	"slices"
	"strings"
)

// Statement allows actions on resources, under conditions.
type Statement struct {
	Actions []string
	// Resources are ARNs, in which * stands for any text.
	Resources  []string
	Conditions []Condition
}

// Condition restricts a statement by the values that a request has for Key.
type Condition struct {
	// Operator is ForAllValues:StringEquals or ForAllValues:StringLike.
	Operator string
	Key      string
	Values   []string
}

// Request is one action on one resource.
type Request struct {
	Action, Resource string
	// Values are those that conditions ask for, by key.
	Values map[string][]string
}

func (r Request) String() string { return r.Action + " on " + r.Resource }

// leadingKeys are the values of the partition key that a request touches.
const leadingKeys = "dynamodb:LeadingKeys"

// Check is an error where a statement holds a condition that is not understood.
func Check(statements []Statement) error {
	for _, s := range statements {
		for _, c := range s.Conditions {
			if c.Key != leadingKeys || c.Operator != "ForAllValues:StringEquals" && c.Operator != "ForAllValues:StringLike" {
				return fmt.Errorf("the condition %s on %s is not understood by the local stack", c.Operator, c.Key)
			}
		}
	}
	return nil
}

// Allowed tells whether one of the statements allows the request.
func Allowed(statements []Statement, r Request) bool {
	return slices.ContainsFunc(statements, func(s Statement) bool {
		return slices.Contains(s.Actions, r.Action) &&
			slices.ContainsFunc(s.Resources, func(pattern string) bool { return like(pattern, r.Resource) }) &&
			!slices.ContainsFunc(s.Conditions, func(c Condition) bool { return !c.holds(r.Values[c.Key]) })
	})
}

// holds is true of no values at all, as ForAllValues is.
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

// like matches a pattern in which * stands for any text.
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
