package pfmapi

import (
	"crypto/sha256"
	_ "embed" // the style sheet
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// Style is the style sheet of the pages, in the colors of the console. Their
// Content-Security-Policy names its hash, so the browser accepts no other style and no script.
//
//go:embed style.css
var Style string

// Page is a page with one message.
type Page struct {
	Words   Words
	Message Message
	// Partner is the partner's name for users, Bank the bank's name; both may be empty.
	Partner, Bank string
	// Wait, Ask and Consent are nil on a page with a message only.
	Wait    *Wait
	Ask     *Ask
	Consent *Consent
	// Links are the next steps. The first one is the most likely.
	Links []Link
}

// Link is a link with its label.
type Link struct{ Address, Label string }

// Wait is a page that waits for the user to confirm elsewhere, and then to press a button. A page that reloads itself
// moves the focus and interrupts a screen reader (WCAG 2.2, F41).
type Wait struct {
	// Says is the bank's text; may be empty.
	Says string
	// Left is how much is left of the Total time.
	Left, Total time.Duration
}

// Ask is a form that asks the user who they are at the bank, or for their accounts.
type Ask struct {
	PSUID, IBANs bool
	// Refused says that the previous answer was not accepted.
	Refused bool
}

// minutes returns the minutes left, and 1 in the last one.
func (w Wait) minutes() int { return int((w.Left + time.Minute - 1) / time.Minute) }

func (w Wait) write(b *strings.Builder, words Words) {
	if w.Says != "" {
		b.WriteString(`<p class="says"><b>` + html.EscapeString(words.BankSays) + `</b>` + html.EscapeString(w.Says) + `</p>`)
	}
	left := html.EscapeString(words.MinutesLeft(w.minutes()))
	fmt.Fprintf(b, `<progress max="%d" value="%d" aria-label="%s"></progress><p class="left">%s</p>`,
		int(w.Total.Seconds()), int(w.Left.Seconds()), left, left)
}

func (a Ask) write(b *strings.Builder, words Words) {
	described := ""
	b.WriteString(`<form method="post">`)
	if a.Refused {
		described = ` aria-invalid="true" aria-describedby="wrong"`
		b.WriteString(`<p class="wrong" id="wrong" role="alert">` + html.EscapeString(words.NotAccepted) + `</p>`)
	}
	field := func(name, label, attributes string) {
		b.WriteString(`<label for="` + name + `">` + html.EscapeString(label) + `</label><input id="` + name +
			`" name="` + name + `" required autocapitalize="none" spellcheck="false"` + attributes + described + `>`)
	}
	if a.PSUID {
		field("psuId", words.UserID, ` maxlength="100" autocomplete="username"`)
	}
	if a.IBANs {
		field("ibans", words.IBANs, ` maxlength="500" autocomplete="off"`)
	}
	b.WriteString(`<p class="hint">` + html.EscapeString(words.NeverPassword) + `</p><button>` +
		html.EscapeString(words.GoOn) + `</button></form>`)
}

// Write writes the page. It builds the HTML by hand because html/template adds 2.7 MB to
// a function; it escapes every value.
func (p Page) Write(w http.ResponseWriter, status int) {
	var b strings.Builder
	element := func(open, text, end string) { b.WriteString(open + html.EscapeString(text) + end) }
	b.WriteString(`<!doctype html><html lang="` + p.Words.Language + `"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">`)
	element(`<title>`, p.Message.Title, `</title><style>`+Style+`</style></head><body><header>`)
	if p.Partner != "" {
		element(`<strong>`, p.Partner, `</strong>`)
	}
	b.WriteString(`<span>Aviso</span></header><main>`)
	if p.Bank != "" {
		element(`<p class="bank">`, p.Bank, `</p>`)
	}
	element(`<h1>`, p.Message.Title, `</h1>`)
	element(`<p>`, p.Message.Text, `</p>`)
	if p.Wait != nil {
		p.Wait.write(&b, p.Words)
	}
	if p.Ask != nil {
		p.Ask.write(&b, p.Words)
	}
	if p.Consent != nil {
		p.Consent.write(&b)
	}
	if len(p.Links) > 0 {
		element(`<nav aria-label="`, p.Words.NextSteps, `">`)
		for i, l := range p.Links {
			class := map[bool]string{true: ` class="main"`}[i == 0 && p.Ask == nil]
			element(`<a`+class+` href="`, l.Address, `">`)
			element("", l.Label, `</a>`)
		}
		b.WriteString(`</nav>`)
	}
	b.WriteString(`</main></body></html>`)
	SetHeaders(w.Header(), p.Words)
	if p.Ask != nil || p.Consent != nil {
		// Browsers apply form-action to every redirect after the form, and the last one, the
		// bank's page, is not known here.
		policy := w.Header().Get("Content-Security-Policy")
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'none'; ", "", 1))
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(b.String()))
}

// SetHeaders sets the headers of a page in these words and with Style.
func SetHeaders(h http.Header, words Words) {
	sum := sha256.Sum256([]byte(Style))
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", words.Language)
	h.Set("Vary", "Accept-Language")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
}
