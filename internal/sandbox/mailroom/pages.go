package mailroom

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

const (
	// PagePath is the path of the pages.
	PagePath = "/sandbox/letters"
	// lettersPerPage is the number of letters on a page.
	lettersPerPage = 25
)

// title is the title of the list, to which the other pages link.
const title = "Sent letters"

func (l Letter) path() string { return PagePath + "/" + l.ID }

func (l Letter) file() string { return l.path() + "/file.pdf" }

// replyPath is the page on which the organization answers.
func (l Letter) replyPath() string {
	return "/sandbox/replies?cancellation=" + url.QueryEscape(l.CancellationID)
}

// pages serves the pages for letters.
type pages struct {
	layout.Site
	processor *Processor
}

// Visitors says who may see which letters. A nil one lets everybody see all.
type Visitors interface {
	// Partner returns the partner that a visitor has signed in as, and false if a visitor
	// has not.
	Partner(r *http.Request) (partner string, ok bool)
	// SignIn asks a visitor to sign in and then to return.
	SignIn(w http.ResponseWriter, r *http.Request) error
}

// SignOutPath is where the pages' form to sign out goes.
const SignOutPath = "/sandbox/sign-out"

// partnerKey is the key of the partner in a request's context.
type partnerKey struct{}

// partnerOf returns whose letters the visitor may see; empty for all.
func partnerOf(r *http.Request) string {
	partner, _ := r.Context().Value(partnerKey{}).(string)
	return partner
}

// signedIn shows which partner a visitor has signed in as.
func signedIn(partner string) g.Node {
	return g.If(partner != "", h.Form(h.Method("post"), h.Action(SignOutPath), h.Class("account"),
		h.P(g.Text("You see the letters of "), h.B(g.Text(partner)), g.Text(".")),
		h.Button(h.Type("submit"), h.Class("quiet"), g.Text("Sign out"))))
}

// Pages returns the handler for everything under PagePath.
func Pages(processor *Processor, visitors Visitors) http.Handler {
	p := &pages{layout.Site{
		// A page may show one of our documents, which the browser embeds as a page of its
		// own.
		Policy: layout.Policy("; object-src 'self'; frame-src 'self'; form-action 'self'"),
		Log:    processor.Log, ErrorTitle: "The letters are not available", Notice: notice,
	}, processor}
	mux := http.NewServeMux()
	page := func(path string, m layout.Methods) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if visitors != nil {
				partner, ok := visitors.Partner(r)
				if !ok {
					p.Write(w, r, visitors.SignIn)
					return
				}
				r = r.WithContext(context.WithValue(r.Context(), partnerKey{}, partner))
			}
			p.Serve(w, r, m)
		})
	}
	page(PagePath, layout.Methods{"GET": p.list, "POST": p.Form(p.set)})
	page(PagePath+"/{letter}", layout.Methods{"GET": p.withLetter(p.show), "POST": p.Form(p.order)})
	page(PagePath+"/{letter}/file.pdf", layout.Methods{"GET": p.withLetter(p.document)})
	page("/", layout.Methods{"GET": p.unknown})
	return mux
}

// footer is the text below every page.
const footer = "The post office and the fax gateway are fictional. Nothing is ever printed or faxed, " +
	"and no mail reaches the organization."

// page returns one of the pages.
func page(title, problem string, main g.Group) layout.Page {
	return layout.Page{Title: title, Problem: problem, Section: PagePath, Footer: footer, Main: main}
}

// notice writes a page with a message.
func notice(w http.ResponseWriter, _ *http.Request, status int, title, text string) error {
	return page(title, "", g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text(text)),
		h.P(h.A(h.Href(PagePath), g.Text("See all letters"))),
	}).Write(w, status)
}

func (p *pages) unknown(w http.ResponseWriter, r *http.Request) error {
	return notice(w, r, http.StatusNotFound, "Letter not found",
		"It may have been deleted, or it is more than 30 days old.")
}

func (p *pages) list(w http.ResponseWriter, r *http.Request) error {
	before := r.URL.Query().Get("before")
	if before != "" && !isID(before) {
		return p.unknown(w, r)
	}
	v, err := p.overview(r, before)
	if err != nil {
		return err
	}
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusOK, v.wire())
	}
	// Only our own texts are shown, never text from the address.
	done, _ := layout.FindCommand(behaviours(v.partner), r.URL.Query().Get("done"))
	v.done = done.Done
	return v.write(w, http.StatusOK)
}

// overview reads the data of the list.
func (p *pages) overview(r *http.Request, before string) (overview, error) {
	partner := partnerOf(r)
	letters, err := p.processor.lettersOf(r.Context(), partner, before, lettersPerPage)
	if err != nil {
		return overview{}, err
	}
	v := overview{partner: partner, letters: letters, later: before != "", now: p.processor.Now()}
	for _, c := range Carriers() {
		setting, err := p.processor.Setting(r.Context(), c, partner)
		if err != nil {
			return overview{}, err
		}
		v.settings = append(v.settings, setting)
	}
	if len(letters) == lettersPerPage {
		v.next = PagePath + "?before=" + letters[lettersPerPage-1].ID
	}
	return v, nil
}

// set handles the form for new letters.
func (p *pages) set(w http.ResponseWriter, r *http.Request, form url.Values) error {
	err := p.processor.UpdateSetting(r.Context(), partnerOf(r), form)
	if problem := layout.AsProblem(err); problem != nil {
		v, err := p.overview(r, "")
		if err != nil {
			return err
		}
		v.problem = problem.Text
		return v.write(w, problem.Status)
	}
	if err != nil {
		return err
	}
	return layout.Redirect(w, PagePath+"?done="+form.Get("behaviour"))
}

// withLetter loads the letter in the path for a page.
func (p *pages) withLetter(answer func(w http.ResponseWriter, r *http.Request, l Letter) error) layout.PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("letter")
		if !isID(id) {
			return p.unknown(w, r)
		}
		l, err := p.processor.Store.Letter(r.Context(), id)
		partner := partnerOf(r)
		if errors.Is(err, outcome.ErrNotFound) || err == nil && partner != "" && l.Partner != partner {
			return p.unknown(w, r)
		}
		if err != nil {
			return fmt.Errorf("read letter: %w", err)
		}
		return answer(w, r, l)
	}
}

func (p *pages) show(w http.ResponseWriter, r *http.Request, l Letter) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusOK, wireOf(l))
	}
	done, _ := layout.FindCommand(append(commands(l.Carrier), delays()...), r.URL.Query().Get("done"))
	return p.detail(r, l, done.Done, "").write(w, http.StatusOK)
}

func (p *pages) order(w http.ResponseWriter, r *http.Request, form url.Values) error {
	return p.withLetter(func(w http.ResponseWriter, r *http.Request, l Letter) error {
		err := p.processor.Apply(r.Context(), l, form)
		if problem := layout.AsProblem(err); problem != nil {
			return p.detail(r, l, "", problem.Text).write(w, problem.Status)
		}
		if err != nil {
			return err
		}
		return layout.Redirect(w, l.path()+"?done="+form.Get("action"))
	})(w, r)
}

// document shows a letter's PDF, also embedded in its page.
func (p *pages) document(w http.ResponseWriter, r *http.Request, l Letter) error {
	d, err := p.processor.Store.Document(r.Context(), l.ID)
	if errors.Is(err, outcome.ErrNotFound) {
		return notice(w, r, http.StatusNotFound, "Document not found",
			"Aviso deleted the document, or there never was one.")
	}
	if err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if !LooksLikePDF(d.Content) {
		return notice(w, r, http.StatusUnprocessableEntity, "The document is not a PDF",
			"Only PDFs can be shown.")
	}
	// The policy of the pages would break the browser's PDF viewer, which has its own
	// styles. The response is always a PDF.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+l.ID+`.pdf"`)
	_, _ = w.Write(d.Content)
	return nil
}

func isID(id string) bool { return len(id) == 36 && uuid.Validate(id) == nil }
