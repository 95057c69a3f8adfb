package mailroom

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

const (
	// PagePath is where the pages begin.
	PagePath = "/sandbox/letters"
	// listed is how many letters one page lists.
	listed = 25
	// maxForm is far above any form of the pages.
	maxForm = 8 << 10
)

func (l Letter) path() string { return PagePath + "/" + l.ID }

// pages show what has arrived.
type pages struct {
	clerk  *Clerk
	log    *slog.Logger
	policy string
}

// Pages is the handler of everything under PagePath.
func Pages(clerk *Clerk) http.Handler {
	// A page may show a document of ours, which the browser does with a page of
	// its own inside.
	p := &pages{clerk, clerk.Log, layout.Policy("; object-src 'self'; frame-src 'self'; form-action 'self'")}
	mux := http.NewServeMux()
	mux.Handle(PagePath, p.page(methods{"GET": p.list, "POST": p.set}))
	mux.Handle(PagePath+"/{letter}", p.page(methods{"GET": p.show, "POST": p.order}))
	mux.Handle(PagePath+"/{letter}/file.pdf", p.page(methods{"GET": p.document}))
	mux.Handle("/", p.page(methods{"GET": func(w http.ResponseWriter, _ *http.Request) error { return p.unknown(w) }}))
	return mux
}

type methods map[string]func(w http.ResponseWriter, r *http.Request) error

func (p *pages) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		layout.Guard(w, p.policy)
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		answer, allowed := m[method]
		var err error
		switch {
		case !allowed:
			w.Header().Set("Allow", strings.Join(allow(m), ", "))
			err = p.notice(w, http.StatusMethodNotAllowed, "This cannot be done", "Please go back and try again.")
		default:
			err = answer(w, r)
		}
		if err != nil {
			p.log.ErrorContext(r.Context(), "sandbox letters failed", "method", r.Method, "route", r.Pattern, "error", err)
			if err := p.notice(w, http.StatusInternalServerError, "The letters cannot be reached", "Please try again in a moment."); err != nil {
				p.log.ErrorContext(r.Context(), "sandbox letters failed", "error", err)
			}
		}
	})
}

func allow(m methods) []string {
	if _, posts := m[http.MethodPost]; posts {
		return []string{http.MethodGet, http.MethodPost}
	}
	return []string{http.MethodGet}
}

func (p *pages) list(w http.ResponseWriter, r *http.Request) error {
	before := r.URL.Query().Get("before")
	if before != "" && !isID(before) {
		return p.unknown(w)
	}
	v, err := p.overview(r, before)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		return writeJSON(w, v.wire())
	}
	// Only words of our own come back from the address.
	done, _ := find(behaviours(), r.URL.Query().Get("done"))
	v.done = done.done
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

// set takes a setting for letters to come. Like the bank's forms it needs no
// token against forged requests: a browser adds no authority by itself.
func (p *pages) set(w http.ResponseWriter, r *http.Request) error {
	form, status := readForm(w, r)
	if form == nil {
		return p.notice(w, status, "This form cannot be read", "Please go back and try again.")
	}
	err := p.clerk.Set(r.Context(), form)
	var problem *Problem
	if errors.As(err, &problem) {
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
	return leave(w, PagePath+"?done="+form.Get("behaviour"))
}

// letter is the one of the path; false when a page has said that there is none.
func (p *pages) letter(w http.ResponseWriter, r *http.Request) (Letter, bool, error) {
	id := r.PathValue("letter")
	if !isID(id) {
		return Letter{}, false, p.unknown(w)
	}
	l, err := p.clerk.Store.Letter(r.Context(), id)
	if errors.Is(err, outcome.ErrNotFound) {
		return l, false, p.unknown(w)
	}
	if err != nil {
		return l, false, fmt.Errorf("read letter: %w", err)
	}
	return l, true, nil
}

func (p *pages) show(w http.ResponseWriter, r *http.Request) error {
	l, found, err := p.letter(w, r)
	if err != nil || !found {
		return err
	}
	if wantsJSON(r) {
		return writeJSON(w, wireOf(l))
	}
	done, _ := find(append(orders(l.Carrier), delays()...), r.URL.Query().Get("done"))
	return p.detail(l, done.done, "").write(w, http.StatusOK)
}

func (p *pages) order(w http.ResponseWriter, r *http.Request) error {
	form, status := readForm(w, r)
	if form == nil {
		return p.notice(w, status, "This form cannot be read", "Please go back and try again.")
	}
	l, found, err := p.letter(w, r)
	if err != nil || !found {
		return err
	}
	err = p.clerk.Order(r.Context(), l, form)
	var problem *Problem
	if errors.As(err, &problem) {
		return p.detail(l, "", problem.Text).write(w, problem.Status)
	}
	if err != nil {
		return err
	}
	return leave(w, l.path()+"?done="+form.Get("action"))
}

// document shows a letter's PDF, also inside of its page.
func (p *pages) document(w http.ResponseWriter, r *http.Request) error {
	l, found, err := p.letter(w, r)
	if err != nil || !found {
		return err
	}
	d, err := p.clerk.Store.Document(r.Context(), l.ID)
	if errors.Is(err, outcome.ErrNotFound) {
		return p.notice(w, http.StatusNotFound, "The document is gone", "The service has had it deleted, or there never was one.")
	}
	if err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if !BeginsAsPDF(d.Content) {
		return p.notice(w, http.StatusUnprocessableEntity, "The document is no PDF", "Only PDFs are shown.")
	}
	// A browser's viewer brings styles of its own: the page's policy would keep it
	// from working. What it reads is a PDF and nothing else.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+l.ID+`.pdf"`)
	_, _ = w.Write(d.Content)
	return nil
}

func (p *pages) unknown(w http.ResponseWriter) error {
	return p.notice(w, http.StatusNotFound, "This letter is not known", "It may have been deleted, or have come too long ago.")
}

func isID(id string) bool { return len(id) == 36 && uuid.Validate(id) == nil }

// readForm reads a form that a page sent; nil with the status that says why not.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, int) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/x-www-form-urlencoded" {
		return nil, http.StatusUnsupportedMediaType
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return nil, http.StatusBadRequest
	}
	return r.PostForm, http.StatusOK
}

func leave(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// wantsJSON tells programs from browsers, which never name JSON.
func wantsJSON(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.Header.Get("Accept")), "application/json")
}

func writeJSON(w http.ResponseWriter, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
	return nil
}
