package cataloguefile

import (
	"slices"
	"strings"

	"aviso/internal/cancellation"
)

// fields requires a template.
func (m members) fields(name string, p cancellation.Product) []cancellation.Field {
	var list []cancellation.Field
	items := m.list(name, maxFields)
	for i, v := range items {
		at := m.member(name).element(i)
		var f cancellation.Field
		if v.kind == kindString {
			f = at.standardField(v.text, p.Locales)
		} else {
			f = at.ownField(v, p.Locales)
		}
		if f.Key != "" && slices.ContainsFunc(list, func(other cancellation.Field) bool { return other.Key == f.Key }) {
			at.fail("another field of the template has this key")
		}
		list = append(list, f)
	}
	if len(items) == 0 {
		return nil // said already
	}
	required := []string{cancellation.FieldName}
	if slices.ContainsFunc(p.Channels, func(c cancellation.Channel) bool { return c.Kind.OnPaper() }) {
		required = append(required, cancellation.FieldAddress, cancellation.FieldZIP, cancellation.FieldCity)
	}
	for _, key := range required {
		if !slices.ContainsFunc(list, func(f cancellation.Field) bool { return f.Key == key }) {
			m.member(name).fail("the template needs the field " + key)
		}
	}
	return list
}

// standardField is a field of which the file names the key only.
func (p place) standardField(key string, locales []cancellation.Locale) cancellation.Field {
	format, known := standardFormats[key]
	if !known {
		p.fail("there is no standard field of this key; give it as an object with labels")
		return cancellation.Field{}
	}
	labels, ok := p.file.standardLabels(key, locales)
	if !ok {
		p.fail("there is no standard label in the language of one of the locales; give the field as an object with labels")
	}
	return cancellation.Field{Key: key, Labels: labels, Format: format}
}

// standardLabels are shared by all fields of the same key and locales: a large
// file has a hundred thousand of them.
func (f *file) standardLabels(key string, locales []cancellation.Locale) (map[cancellation.Locale]string, bool) {
	var id strings.Builder
	id.WriteString(key)
	for _, l := range locales {
		id.WriteString(" " + string(l))
	}
	if labels, made := f.labels[id.String()]; made {
		return labels, true
	}
	labels := make(map[cancellation.Locale]string, len(locales))
	for _, l := range locales {
		if labels[l] = standardLabel(key, l); labels[l] == "" {
			return nil, false
		}
	}
	f.labels[id.String()] = labels
	return labels, true
}

// ownField is a field that brings all that it needs. Keys that mean something
// to the letter are not among them: their meaning hangs on their formats.
func (p place) ownField(v node, locales []cancellation.Locale) cancellation.Field {
	m, ok := p.object(v)
	if !ok {
		return cancellation.Field{}
	}
	f := cancellation.Field{Key: m.checked("key", keyProblem), Format: m.format("format"), Labels: map[cancellation.Locale]string{}}
	if v, there := m.require("labels"); there {
		at := p.member("labels")
		labels, isObject := at.object(v)
		for _, name := range labels.names() {
			label, _ := labels.take(name)
			text := at.member(name).printed(label, maxLabel)
			if l, ok := at.member(name).locale(name); ok && slices.Contains(locales, l) {
				f.Labels[l] = text
			}
		}
		for _, l := range locales {
			if _, there := f.Labels[l]; !there && isObject {
				at.member(string(l)).fail("a label for every locale of the product is required")
			}
		}
	}
	m.done()
	return f
}

func keyProblem(s string) string {
	if len(s) > maxKey || !keyPattern.MatchString(s) {
		return "must be 1 to 40 upper-case letters, digits and underscores, a letter first"
	}
	if slices.Contains([]string{
		cancellation.FieldName, cancellation.FieldAddress, cancellation.FieldZIP, cancellation.FieldCity,
		cancellation.FieldEmail, cancellation.FieldPhoneNumber, cancellation.FieldDeleteData,
	}, s) {
		return "this key is given alone, as a string"
	}
	return ""
}

// format is empty where the member is not there, or is.
func (m members) format(name string) string {
	v, there := m.take(name)
	at := m.member(name)
	if !there || !at.is(v, kindString) || v.text == "" {
		return ""
	}
	problem, checked := at.file.formats[v.text]
	if !checked {
		problem = formatProblem(v.text)
		at.file.formats[v.text] = problem
	}
	if problem != "" {
		at.fail(problem)
	}
	return v.text
}
