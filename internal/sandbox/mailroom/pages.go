package mailroom

import (
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
	// PagePath is where the pages begin.
	PagePath = "/sandbox/letters"
	// listed is how many letters one page lists.
	listed = 25
)

func (l Letter) path() string { return PagePath + "/" + l.ID }

// pages show what has arrived.
type pages struct {
	layout.Site
	processor *Processor
}

// Pages is the handler of everything under PagePath.
func Pages(processor *Processor) http.Handler {
	p := &pages{layout.Site{
		// A page may show a document of ours, which the browser does with a page of
		// its own inside.
		Policy: layout.Policy("; object-src 'self'; frame-src 'self'; form-action 'self'"),
		Log:    processor.Log, ErrorTitle: "The letters cannot be reached", Notice: notice,
	}, processor}
	mux := http.NewServeMux()
	page := func(path string, m layout.Methods) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { p.Serve(w, r, m) })
	}
	page(PagePath, layout.Methods{"GET": p.list, "POST": p.Form(p.set)})
	page(PagePath+"/{letter}", layout.Methods{"GET": p.about(p.show), "POST": p.Form(p.order)})
	page(PagePath+"/{letter}/file.pdf", layout.Methods{"GET": p.about(p.document)})
	page("/", layout.Methods{"GET": p.unknown})
	return mux
}

// footer is the last word of every page.
const footer = "The post office and the fax gateway are fictional. Nothing from here is ever printed or faxed."

// page is one of the pages.
func page(title, problem string, main g.Group) layout.Page {
	return layout.Page{Title: title, Problem: problem, Section: PagePath, Footer: footer, Main: main}
}

// notice answers with a page that only says something.
func notice(w http.ResponseWriter, _ *http.Request, status int, title, text string) error {
	return page(title, "", g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text(text)),
		h.P(h.A(h.Href(PagePath), g.Text("See all letters"))),
	}).Write(w, status)
}

func (p *pages) unknown(w http.ResponseWriter, r *http.Request) error {
	return notice(w, r, http.StatusNotFound, "This letter is not known", "It may have been deleted, or have come too long ago.")
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
	// Only words of our own come back from the address.
	done, _ := layout.FindCommand(behaviours(), r.URL.Query().Get("done"))
	v.done = done.Done
	return v.write(w, http.StatusOK)
}

// overview reads what the list shows.
func (p *pages) overview(r *http.Request, before string) (overview, error) {
	letters, err := p.processor.Store.Letters(r.Context(), "", before, listed)
	if err != nil {
		return overview{}, fmt.Errorf("list letters: %w", err)
	}
	v := overview{letters: letters, later: before != "", now: p.processor.Now()}
	for _, c := range Carriers() {
		setting, err := p.processor.Setting(r.Context(), c)
		if err != nil {
			return overview{}, err
		}
		v.settings = append(v.settings, setting)
	}
	if len(letters) == listed {
		v.next = PagePath + "?before=" + letters[listed-1].ID
	}
	return v, nil
}

// set takes a setting for letters to come.
func (p *pages) set(w http.ResponseWriter, r *http.Request, form url.Values) error {
	err := p.processor.UpdateSetting(r.Context(), form)
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

// about answers with a page about the letter of the path.
func (p *pages) about(answer func(w http.ResponseWriter, r *http.Request, l Letter) error) layout.PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("letter")
		if !isID(id) {
			return p.unknown(w, r)
		}
		l, err := p.processor.Store.Letter(r.Context(), id)
		if errors.Is(err, outcome.ErrNotFound) {
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
	return p.detail(l, done.Done, "").write(w, http.StatusOK)
}

func (p *pages) order(w http.ResponseWriter, r *http.Request, form url.Values) error {
	return p.about(func(w http.ResponseWriter, r *http.Request, l Letter) error {
		err := p.processor.Apply(r.Context(), l, form)
		if problem := layout.AsProblem(err); problem != nil {
			return p.detail(l, "", problem.Text).write(w, problem.Status)
		}
		if err != nil {
			return err
		}
		return layout.Redirect(w, l.path()+"?done="+form.Get("action"))
	})(w, r)
}

// document shows a letter's PDF, also inside of its page.
func (p *pages) document(w http.ResponseWriter, r *http.Request, l Letter) error {
	d, err := p.processor.Store.Document(r.Context(), l.ID)
	if errors.Is(err, outcome.ErrNotFound) {
		return notice(w, r, http.StatusNotFound, "The document is gone", "The service has had it deleted, or there never was one.")
	}
	if err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if !LooksLikePDF(d.Content) {
		return notice(w, r, http.StatusUnprocessableEntity, "The document is no PDF", "Only PDFs are shown.")
	}
	// A browser's viewer brings styles of its own: the page's policy would keep it
	// from working. What it reads is a PDF and nothing else.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+l.ID+`.pdf"`)
	_, _ = w.Write(d.Content)
	return nil
}

func isID(id string) bool { return len(id) == 36 && uuid.Validate(id) == nil }
