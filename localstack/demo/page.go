package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// page is what a browser makes of HTML, as far as forms go.
type page struct {
	heading string
	forms   []form
}

// form is one form with what it would send as it stands.
type form struct {
	action string
	fields url.Values
	// choices are the values that can be picked, by name.
	choices url.Values
}

// readPage finds the first heading and the forms. The XML decoder of the
// standard library reads HTML well enough when it is told which elements have no
// end.
func readPage(html []byte) (page, error) {
	d := xml.NewDecoder(bytes.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var p page
	heading := false
	for {
		switch t, err := d.Token(); {
		case errors.Is(err, io.EOF):
			p.heading = strings.TrimSpace(p.heading)
			return p, nil
		case err != nil:
			return page{}, fmt.Errorf("read the page: %w", err)
		default:
			switch t := t.(type) {
			case xml.StartElement:
				heading = heading || t.Name.Local == "h1"
				p.element(t.Name.Local, attributes(t))
			case xml.EndElement:
				heading = heading && t.Name.Local != "h1"
			case xml.CharData:
				if heading {
					p.heading += string(t)
				}
			}
		}
	}
}

func attributes(e xml.StartElement) map[string]string {
	a := map[string]string{}
	for _, attr := range e.Attr {
		a[attr.Name.Local] = attr.Value
	}
	return a
}

func (p *page) element(name string, a map[string]string) {
	if name == "form" {
		p.forms = append(p.forms, form{action: a["action"], fields: url.Values{}, choices: url.Values{}})
		return
	}
	if len(p.forms) == 0 || a["name"] == "" {
		return
	}
	f := &p.forms[len(p.forms)-1]
	_, checked := a["checked"]
	switch {
	case name == "button", a["type"] == "radio", a["type"] == "checkbox":
		f.choices.Add(a["name"], a["value"])
		if checked {
			f.fields.Add(a["name"], a["value"])
		}
	case name == "input":
		f.fields.Add(a["name"], a["value"])
	}
}

// pick gives the form in which a choice of this name can be made, with that
// choice made as a user would.
func (p page) pick(name, value string) (form, error) {
	for _, f := range p.forms {
		for _, offered := range f.choices[name] {
			if offered == value {
				f.fields.Set(name, value)
				return f, nil
			}
		}
	}
	return form{}, fmt.Errorf("the page %q has no choice %s=%s", p.heading, name, value)
}
