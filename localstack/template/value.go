package template

import "strings"

// Value is a text that may refer to resources, whose names and addresses are known only
// once they exist.
type Value []Part

// Part is a part of a Value: fixed text, or a !Ref (Attribute empty) or !GetAtt.
type Part struct {
	Text      string
	Resource  string
	Attribute string
}

// Names returns the value of !Ref (attribute empty) or !GetAtt.
type Names func(resource, attribute string) (string, error)

// Resolve returns the text with the values of all references.
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

// fixed returns the text of a value without references.
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

// resource returns the logical ID and attribute of a value that is just a reference.
func (v Value) resource() (id, attribute string, ok bool) {
	if len(v) != 1 || v[0].Resource == "" {
		return "", "", false
	}
	return v[0].Resource, v[0].Attribute, true
}
