package bank

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"aviso/internal/sandbox/persona"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed pages/style.css
var styleSheet string

// page is what every page shows.
type page struct {
	Style template.CSS
	Title string
	// Bank is nil on the index.
	Bank  *Bank
	Error string
	View  any
}

type loginView struct {
	Request           requestView
	Healthy, Troubled []personChoice
	// Open shows the troubled ones, which are folded away otherwise.
	Open     bool
	Customer string
}

type personChoice struct {
	persona.Persona
	Chosen bool
}

type accountsView struct {
	Request  requestView
	Persona  persona.Persona
	Accounts []accountChoice
	// First is the key of the first account, where an error message leads.
	First string
	// Language is that of the accounts' names.
	Language string
}

type accountChoice struct {
	Key, Name, Product, Number, Currency string
	Checked                              bool
}

// requestView says who asks for what and until when.
type requestView struct {
	Brand    string
	Rights   []string
	Until    string
	OneOff   bool
	PerDay   int
	PagePath string
}

type noticeView struct{ Text, Back, Label string }

type indexView struct {
	Banks    []bankRow
	Personas []persona.Persona
}

type bankRow struct {
	Bank
	URL string
}

// page answers a page for people.
func (s *server) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", s.csp)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		o, found := s.banks[r.PathValue("slug")]
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		answer, allowed := m[method]
		var err error
		switch {
		case !found && r.PathValue("slug") != "":
			err = s.notice(w, http.StatusNotFound, o, "There is no such bank", "Please go back to the app you came from.", "")
		case !allowed:
			h.Set("Allow", allow(m))
			err = s.notice(w, http.StatusMethodNotAllowed, o, "This cannot be done", "Please go back and try again.", "")
		default:
			err = answer(w, r, o)
		}
		if err != nil {
			s.Log.ErrorContext(r.Context(), "sandbox bank page failed", "method", r.Method, "route", r.Pattern, "error", err)
			if err := s.notice(w, http.StatusInternalServerError, o, "The bank cannot be reached", "Please try again in a moment.", r.URL.Path); err != nil {
				s.Log.ErrorContext(r.Context(), "sandbox bank page failed", "error", err)
			}
		}
	})
}

// render writes a page once it is complete.
func (s *server) render(w http.ResponseWriter, status int, name string, p page) error {
	p.Style = s.style
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, p); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

func (s *server) loginPage(w http.ResponseWriter, status int, v *visit, chosen, customer, problem string) error {
	personas := persona.All()
	if chosen == "" {
		chosen = personas[0].ID
	}
	view := loginView{Request: v.request(), Customer: customer}
	for _, p := range personas {
		choice := personChoice{p, p.ID == chosen}
		if p.Behaviour == persona.Healthy {
			view.Healthy = append(view.Healthy, choice)
		} else {
			view.Troubled = append(view.Troubled, choice)
			view.Open = view.Open || choice.Chosen
		}
	}
	return s.render(w, status, "login.html", page{Title: "Log in to " + v.Name, Bank: &v.Bank, Error: problem, View: view})
}

// accountsPage shows the accounts that may be shared, all of them picked unless
// some are named.
func (s *server) accountsPage(w http.ResponseWriter, status int, v *visit, p persona.Persona, picked []string, problem string) error {
	view := accountsView{Request: v.request(), Persona: p, Language: v.traits.language}
	for _, acc := range v.accounts(p) {
		if _, asked := v.consent.Access.grant(acc); !asked {
			continue
		}
		number := acc.MaskedPAN
		if acc.IBAN != "" {
			number = grouped(acc.IBAN)
		}
		view.Accounts = append(view.Accounts, accountChoice{acc.Key, acc.Name, acc.Product, number, acc.Currency,
			picked == nil || slices.Contains(picked, acc.Key)})
	}
	if len(view.Accounts) > 0 {
		view.First = view.Accounts[0].Key
	}
	return s.render(w, status, "accounts.html", page{Title: "Share your accounts?", Bank: &v.Bank, Error: problem, View: view})
}

func (s *server) notice(w http.ResponseWriter, status int, o office, title, text, back string) error {
	label := "Go back to the app"
	if strings.HasPrefix(back, "/") {
		label = "Try again"
	}
	p := page{Title: title, View: noticeView{text, back, label}}
	if o.Slug != "" {
		p.Bank = &o.Bank
	}
	return s.render(w, status, "notice.html", p)
}

func (s *server) index(w http.ResponseWriter, r *http.Request, _ office) error {
	view := indexView{Personas: persona.All()}
	for _, b := range Catalogue() {
		view.Banks = append(view.Banks, bankRow{b, s.base(r) + b.Path()})
	}
	return s.render(w, http.StatusOK, "index.html", page{Title: "Sandbox banks", View: view})
}

func (v *visit) request() requestView {
	view := requestView{
		Brand: v.authorisation.Brand, Until: v.consent.ValidUntil.Time().Format("2 January 2006"), OneOff: !v.consent.Recurring,
		PerDay: v.consent.FrequencyPerDay, PagePath: v.address(),
		Rights: []string{"Names and numbers of the accounts you pick"},
	}
	a := v.consent.Access
	if a.AllPSD2 != "" || a.AvailableAccountsWithBalance != "" || a.Balances != nil {
		view.Rights = append(view.Rights, "Balances")
	}
	if a.AllPSD2 != "" || a.Transactions != nil {
		view.Rights = append(view.Rights, "Transactions")
	}
	if a.ownerNames() {
		view.Rights = append(view.Rights, "Your name")
	}
	return view
}

// grouped writes an IBAN in groups of four, as it is printed.
func grouped(iban string) string {
	var b strings.Builder
	for i, c := range iban {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// logo draws the bank's initials on a colour of its own.
func (s *server) logo(w http.ResponseWriter, _ *http.Request, o office) error {
	initials := ""
	for word := range strings.FieldsSeq(o.Name) {
		if len(initials) < 2 && word[0] >= 'A' && word[0] <= 'Z' {
			initials += word[:1]
		}
	}
	hue := 0
	for _, c := range o.Slug {
		hue = (hue*31 + int(c)*137) % 360
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age="+fmt.Sprint(int((24*time.Hour).Seconds())))
	_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img" aria-label="%s">`+
		`<rect width="96" height="96" rx="22" fill="hsl(%d 48%% 32%%)"/><path d="M18 74h60" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".55"/>`+
		`<text x="48" y="58" font-family="Georgia, serif" font-size="38" fill="#fff" text-anchor="middle">%s</text></svg>`,
		template.HTMLEscapeString(o.Name), hue, initials)
	return nil
}
