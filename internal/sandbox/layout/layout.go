// Package layout holds what all pages of the sandbox have in common: the frame with its
// style sheet and navigation, the headers, and small parts. Pages work without scripts.
package layout

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the style sheet and the texts
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"
)

//go:embed style.css
var styleSheet string

// HeaderText returns a header that consists of a name.
func HeaderText(text string) g.Node { return h.Span(h.Class("bank"), g.Text(text)) }

// Place is a page that a developer can go to.
type Place struct{ Path, Name, About string }

// Home is the path of the page about the sandbox.
const Home = "/sandbox"

// Sections returns the sections of the sandbox in display order, Home first.
func Sections() []Place {
	return []Place{
		{Home, "Overview", ""},
		{"/sandbox/banks", "Banks", "The banks, and people with accounts there. Some banks are slow or broken."},
		{"/sandbox/control", "Consents", "End a consent, book pending transactions, or make a bank fail."},
		{"/sandbox/letters", "Letters", "What Aviso sent by e-mail, post and fax. Deliver a letter, return it, or lose it."},
		{"/sandbox/replies", "Answers", "What waits for an answer. Confirm or reject it as the organization."},
	}
}

// styleHash is computed once: three handlers need it when the function starts.
var styleHash = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(styleSheet))
	return base64.StdEncoding.EncodeToString(sum[:])
})

// SetHeaders sets the headers of a page. Its content security policy lets it load only its own style
// sheet, known by its hash, and our own images. more is appended to that.
func SetHeaders(w http.ResponseWriter, more string) {
	policy := "default-src 'none'; style-src 'sha256-" + styleHash() +
		"'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
	headers := w.Header()
	headers.Set("Cache-Control", "no-store")
	headers.Set("Content-Security-Policy", policy+more)
	headers.Set("Referrer-Policy", "no-referrer")
	headers.Set("X-Content-Type-Options", "nosniff")
}

// Show renders a whole page before it writes any of it. The problem is the error in a submitted
// form; usually empty. The title then starts with "Error", because a screen reader reads the title
// first.
func (s Site) Show(w http.ResponseWriter, status int, title, problem string, main ...g.Node) error {
	if problem != "" {
		title = s.T("Error") + ": " + title
	}
	if s.Header == nil {
		s.Header = HeaderText("Aviso")
		if s.Section != "" {
			s.Header = h.A(h.Class("bank"), h.Href("/"), g.Text("Aviso"))
		}
	}
	page := components.HTML5(components.HTML5Props{
		Title:       title,
		Description: s.About,
		Language:    s.T("en"),
		Head: []g.Node{
			g.If(s.About == "", h.Meta(h.Name("robots"), h.Content("noindex"))), h.StyleEl(g.Raw(styleSheet)),
		},
		Body: []g.Node{
			h.Header(h.Class("bar"), s.Header, Tag("", "Sandbox")),
			g.Iff(s.Section != "", s.nav),
			h.Main(g.If(s.T("") != "", h.P(h.Class("hint"), h.Lang("ar"), h.Dir("rtl"), g.Text(s.T("")))), g.Group(main)),
			h.Footer(g.Text(s.T(s.Footer))),
		},
	})
	var b bytes.Buffer
	if err := page.Render(&b); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if s.Customers {
		w.Header().Set("Vary", "Accept-Language")
	}
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

func (s Site) nav() g.Node {
	return h.Nav(h.Class("sections"), h.Aria("label", "Sandbox"), g.Map(Sections(), func(p Place) g.Node {
		return h.A(h.Href(p.Path), g.If(p.Path == s.Section, h.Aria("current", "true")), g.Text(p.Name))
	}))
}

// WriteSVG writes an image that browsers may keep for a day.
func WriteSVG(w http.ResponseWriter, image []byte) error {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write(image)
	return nil
}

// Step shows the position above the heading: a step or a parent page.
func Step(content ...g.Node) g.Node { return h.P(h.Class("step"), g.Group(content)) }

// Lead is the first paragraph.
func Lead(content ...g.Node) g.Node { return h.P(h.Class("lead"), g.Group(content)) }

// Empty shows that there is nothing to list.
func Empty(text string) g.Node { return h.P(h.Class("empty"), g.Text(text)) }

// Alert shows an error.
func Alert(content ...g.Node) g.Node {
	return h.Div(h.Class("alert"), h.Role("alert"), g.Group(content))
}

// Outcome shows the result of a command: what was done, or the problem. It is empty if
// both are empty.
func Outcome(done, problem string) g.Node {
	return g.Group{
		g.If(problem != "", Alert(h.Strong(g.Text("That did not work.")), g.Text(" "+problem))),
		g.If(done != "", h.Div(h.Class("done"), h.Role("status"), h.Strong(g.Text("Done.")), g.Text(" "+done))),
	}
}

// Cards is a list with a heading.
func Cards(id, heading string, items g.Group) g.Node {
	return g.Group{
		h.H2(h.ID(id), g.Text(heading)),
		h.Ul(h.Class("cards"), h.Aria("labelledby", id), items),
	}
}

// Places is a list of links with a heading.
func Places(id, heading string, places []Place) g.Node {
	return Cards(id, heading, g.Map(places, func(p Place) g.Node {
		return h.Li(h.Div(h.B(h.A(h.Href(p.Path), g.Text(p.Name))), h.Small(g.Text(p.About))))
	}))
}

// Facts is a list of facts.
func Facts(facts ...g.Node) g.Node { return h.Dl(h.Class("facts"), g.Group(facts)) }

// Fact is a name and its value.
func Fact(name string, value g.Node) g.Node { return h.Div(h.Dt(g.Text(name)), h.Dd(value)) }

// Timestamp shows a time.
func Timestamp(t time.Time) g.Node {
	return h.Time(h.DateTime(t.UTC().Format(time.RFC3339)), g.Text(t.UTC().Format("2 January 2006, 15:04 UTC")))
}

// Pagination links to the newest page if this is a later one, and to the next page if
// there is one.
func Pagination(later bool, newest, next string) g.Node {
	return g.If(later || next != "", h.Nav(h.Class("pages"), h.Aria("label", "Pages"),
		g.If(later, h.A(h.Href(newest), g.Text("Newest"))),
		g.If(next != "", h.A(h.Href(next), g.Text("Older")))))
}

// Command is one button of a form.
type Command struct {
	// Value is the value of the form field.
	Value, Label string
	// Hint says what the command does, Done what it did.
	Hint, Done string
}

//go:embed commands.json
var commandData []byte

// commands are sets of commands by name; each command is its value, label, hint and done.
var commands = sync.OnceValue(func() map[string][][4]string { return Parse[map[string][][4]string](commandData) })

// Parse reads JSON that is part of the program.
func Parse[T any](data []byte) (v T) {
	if err := json.Unmarshal(data, &v); err != nil {
		panic("sandbox: " + err.Error())
	}
	return v
}

// Commands returns the commands of commands.json in these sets.
func Commands(sets ...string) (all []Command) {
	for _, set := range sets {
		for _, c := range commands()[set] {
			all = append(all, Command{c[0], c[1], c[2], c[3]})
		}
	}
	return all
}

// FindCommand returns the command with this value and whether there is one.
func FindCommand(commands []Command, value string) (Command, bool) {
	for _, c := range commands {
		if c.Value == value {
			return c, true
		}
	}
	return Command{}, false
}

// CommandForm is a form with a button for each command. A button submits its command's
// value in the field called name, together with the shared fields.
func CommandForm(id, action, heading string, fields g.Node, name string, commands []Command) g.Node {
	return h.Form(h.Method("post"), h.Action(action), h.Aria("labelledby", id),
		h.H2(h.ID(id), g.Text(heading)),
		fields,
		h.Ul(h.Class("commands"), g.Map(commands, func(c Command) g.Node {
			hint := "about-" + c.Value
			return h.Li(
				h.P(h.ID(hint), g.Text(c.Hint)),
				h.Button(h.Type("submit"), h.Class("second"), h.Name(name), h.Value(c.Value),
					h.Aria("describedby", hint), g.Text(c.Label)),
			)
		})),
	)
}

// Tag is a label with a state: on, off or empty.
func Tag(state, text string) g.Node {
	return h.Span(h.Class(strings.TrimSpace("tag "+state)), g.Text(text))
}

// Choice is a drop-down list.
func Choice(id, label string, more, options g.Node) g.Node {
	return h.Div(h.Class("field"), h.Label(h.For(id), g.Text(label)), more, h.Select(h.ID(id), h.Name(id), options))
}

// Minutes is the duration field. It is a drop-down list rather than a text field, so that
// the return key does not press the first button.
func Minutes() g.Node {
	option := func(minutes int, text string) g.Node {
		return h.Option(h.Value(strconv.Itoa(minutes)), g.If(minutes == defaultMinutes, h.Selected()), g.Text(text))
	}
	return Choice("minutes", "Duration", nil, g.Group{
		option(1, "1 minute"), option(5, "5 minutes"), option(10, "10 minutes"), option(60, "1 hour"),
		option(maxMinutes, "1 day"),
	})
}

//go:embed texts.json
var textData []byte

// translations are the texts for banks' customers: for each language those of the English ones. Arabic
// has only one, which says that it has no other.
//
//nolint:gochecknoglobals // read once
var translations = sync.OnceValue(func() map[string]map[string]string {
	return Parse[map[string]map[string]string](textData)
})

// For returns the site in the first language of the browser that we have, if it is for banks' customers.
// Browsers send them in their order.
func (s Site) For(r *http.Request) Site {
	s.language = ""
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag := strings.ToLower(strings.TrimSpace(wanted))
		tag = tag[:min(2, len(tag))]
		if s.Customers && (tag == "en" || translations()[tag] != nil) {
			s.language = tag
			break
		}
	}
	return s
}

// T returns a text in the language of the site, in English if it has none in that. Its arguments
// replace %s and %d. The text of a day is its layout.
func (s Site) T(text string, args ...any) string {
	if translated := translations()[s.language][text]; translated != "" {
		text = translated
	}
	if len(args) > 0 {
		return fmt.Sprintf(text, args...)
	}
	return text
}
