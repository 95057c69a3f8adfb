package template

import "strings"

// Value is a text that may name resources, whose physical names and addresses
// are known only once they exist.
type Value []Part

// Part is a piece of a Value: fixed text, or what !Ref (Attribute empty) or
// !GetAtt gives of a resource.
type Part struct {
	Text      string
	Resource  string
	Attribute string
}

// Names gives what !Ref (attribute empty) or !GetAtt stands for.
type Names func(resource, attribute string) (string, error)

// Resolve fills in the names of the resources.
func (v Value) Resolve(names Names) (string, error) {
	var b strings.Builder
	for _, part := range v {
		if part.Resource == "" {
			b.WriteString(part.Text)
			continue
		}
		text, err := names(part.Resource, part.Attribute)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// fixed is the text of a value that names no resource.
func (v Value) fixed() (string, bool) {
	var b strings.Builder
	for _, part := range v {
		if part.Resource != "" {
			return "", false
		}
		b.WriteString(part.Text)
	}
	return b.String(), true
}

// resource is the logical id and attribute of a value that is nothing but a
// reference.
func (v Value) resource() (id, attribute string, ok bool) {
	if len(v) != 1 || v[0].Resource == "" {
		return "", "", false
	}
	return v[0].Resource, v[0].Attribute, true
}
