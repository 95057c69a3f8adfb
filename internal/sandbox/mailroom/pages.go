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
	layout.House
	clerk *Clerk
}

// Pages is the handler of everything under PagePath.
func Pages(clerk *Clerk) http.Handler {
	p := &pages{layout.House{
		// A page may show a document of ours, which the browser does with a page of
		// its own inside.
		Policy: layout.Policy("; object-src 'self'; frame-src 'self'; form-action 'self'"),
		Log:    clerk.Log, Closed: "The letters cannot be reached", Notice: notice,
	}, clerk}
	mux := http.NewServeMux()
	page := func(path string, m layout.Methods) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { p.Serve(w, r, m) })
	}
	page(PagePath, layout.Methods{"GET": p.list, "POST": p.Posted(p.set)})
	page(PagePath+"/{letter}", layout.Methods{"GET": p.about(p.show), "POST": p.Posted(p.order)})
	page(PagePath+"/{letter}/file.pdf", layout.Methods{"GET": p.about(p.document)})
	page("/", layout.Methods{"GET": p.unknown})
	return mux
}

// foot is the last word of every page.
const foot = "The post office and the fax gateway are fictional. Nothing from here is ever printed or faxed."

// page is one of the pages.
func page(title, problem string, main g.Group) layout.Page {
	return layout.Page{Title: title, Problem: problem, Room: PagePath, Foot: foot, Main: main}
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
	done, _ := layout.Find(behaviours(), r.URL.Query().Get("done"))
	v.done = done.Done
	return v.write(w, http.StatusOK)
}

// overview reads what the list shows.
func (p *pages) overview(r *http.Request, before string) (overview, error) {
	letters, err := p.clerk.Store.Letters(r.Context(), "", before, listed)
	if err != nil {
		return overview{}, fmt.Errorf("list letters: %w", err)
	}
	v := overview{letters: letters, later: before != "", now: p.clerk.Now()}
	for _, c := range Carriers() {
		setting, err := p.clerk.Setting(r.Context(), c)
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
	err := p.clerk.Set(r.Context(), form)
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
	return layout.Leave(w, PagePath+"?done="+form.Get("behaviour"))
}

// about answers with a page about the letter of the path.
func (p *pages) about(answer func(w http.ResponseWriter, r *http.Request, l Letter) error) layout.Answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("letter")
		if !isID(id) {
			return p.unknown(w, r)
		}
		l, err := p.clerk.Store.Letter(r.Context(), id)
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
	done, _ := layout.Find(append(orders(l.Carrier), delays()...), r.URL.Query().Get("done"))
	return p.detail(l, done.Done, "").write(w, http.StatusOK)
}

func (p *pages) order(w http.ResponseWriter, r *http.Request, form url.Values) error {
	return p.about(func(w http.ResponseWriter, r *http.Request, l Letter) error {
		err := p.clerk.Order(r.Context(), l, form)
		if problem := layout.AsProblem(err); problem != nil {
			return p.detail(l, "", problem.Text).write(w, problem.Status)
		}
		if err != nil {
			return err
		}
		return layout.Leave(w, l.path()+"?done="+form.Get("action"))
	})(w, r)
}

// document shows a letter's PDF, also inside of its page.
func (p *pages) document(w http.ResponseWriter, r *http.Request, l Letter) error {
	d, err := p.clerk.Store.Document(r.Context(), l.ID)
	if errors.Is(err, outcome.ErrNotFound) {
		return notice(w, r, http.StatusNotFound, "The document is gone", "The service has had it deleted, or there never was one.")
	}
	if err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if !BeginsAsPDF(d.Content) {
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
