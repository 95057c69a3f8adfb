package template

import "go.yaml.in/yaml/v3"

// Statement is one of a function's policies: what it may do to what. Only
// statements that allow are understood, since Aviso has no others.
type Statement struct {
	Actions   []string
	Resources []Value
	// Conditions must all hold.
	Conditions []Condition
}

// Condition restricts a statement: the values that the request has for Key are
// among Values, in the way of Operator (ForAllValues:StringLike).
type Condition struct {
	Operator, Key string
	Values        []string
}

// policies reads the statements of a function. Policy templates and names of
// managed policies give rights that cannot be read here.
func (s *scope) policies(list item) []Statement {
	var all []Statement
	for _, p := range list.list() {
		o := p.object("Version", "Statement")
		for _, statement := range o.get("Statement").list() {
			all = append(all, s.statement(statement))
		}
	}
	return all
}

func (s *scope) statement(i item) Statement {
	o := i.object("Sid", "Effect", "Action", "Resource", "Condition")
	if effect := o.want("Effect"); effect != "Allow" {
		s.fault(o.where(), "Effect %s: the local stack understands Allow", effect)
	}
	statement := Statement{Actions: o.get("Action").oneOrMore()}
	for _, r := range o.get("Resource").each() {
		statement.Resources = append(statement.Resources, r.value())
	}
	for _, operator := range o.get("Condition").entries() {
		for _, key := range operator.item.entries() {
			statement.Conditions = append(statement.Conditions, Condition{Operator: operator.key, Key: key.key, Values: key.item.oneOrMore()})
		}
	}
	return statement
}

// each is a list, or the one element that stands there without one.
func (i item) each() []item {
	n := i.settle()
	if n == nil {
		return nil
	}
	if name, _ := intrinsic(n); name == "" && n.Kind == yaml.SequenceNode {
		return i.list()
	}
	return []item{i.s.at(n)}
}

func (i item) oneOrMore() []string {
	var texts []string
	for _, e := range i.each() {
		texts = append(texts, e.text())
	}
	return texts
}
