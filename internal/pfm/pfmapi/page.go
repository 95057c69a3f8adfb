package pfmapi

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// Style is the style sheet of the pages, in the colors of the console. Their
// Content-Security-Policy names its hash, so the browser accepts no other style and no script.
const Style = `:root{color-scheme:light dark;--ink:#17212b;--soft:#51606d;--paper:#f3f5f7;
--card:#fff;--line:#d5dce2;--act:#0b4f8a;--fill:#0b4f8a;--bad:#a3160c}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf0;--soft:#a9b6c2;--paper:#11171d;
--card:#1a222a;--line:#33404c;--act:#8fc6f7;--fill:#1b65a8;--bad:#ff8d80}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;align-content:center;justify-items:center;
gap:.75rem;padding:1.5rem;background:var(--paper);color:var(--ink);overflow-wrap:anywhere;hyphens:auto;
font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;gap:1rem;align-items:baseline;justify-content:space-between;width:100%;max-width:30rem;
padding:0 .25rem;color:var(--soft)}header strong{color:var(--ink)}header span{flex:none}
main{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;
padding:clamp(1.5rem,6vw,2rem) clamp(1.25rem,5vw,1.75rem)}
p{margin:0 0 1rem;color:var(--soft)}p:last-child{margin:0}
h1{margin:.25rem 0 .75rem;font-size:1.5rem;line-height:1.25;text-wrap:balance;hyphens:manual}
.bank{margin:0;font-weight:600;color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
a{flex:1 1 auto;text-align:center;padding:.7rem 1.2rem;border-radius:.5rem;border:1px solid var(--act);color:var(--act);
text-decoration:none;font-weight:600}
a.main{background:var(--fill);border-color:var(--fill);color:#fff}a:focus-visible{outline:3px solid var(--act);outline-offset:3px}
.says{margin:1.25rem 0;padding:.75rem 1rem;border-left:4px solid var(--act);background:var(--paper);
border-radius:0 .5rem .5rem 0;color:var(--ink)}.says b{display:block;font-size:.9rem;color:var(--soft)}
progress{display:block;width:100%;height:.5rem;margin:1.25rem 0 .4rem;accent-color:var(--act)}
.left{font-size:.95rem;font-variant-numeric:tabular-nums}
label{display:block;margin:1.25rem 0 .35rem;font-weight:600}
input,button{width:100%;font:inherit;border-radius:.5rem}
input{padding:.65rem .8rem;border:1px solid var(--soft);background:var(--paper);color:var(--ink)}
button{margin-top:1.5rem;padding:.7rem 1.2rem;border:1px solid var(--fill);background:var(--fill);color:#fff;
font-weight:600;cursor:pointer}input:focus-visible,button:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.wrong{margin:1.25rem 0 0;color:var(--bad);font-weight:600}input[aria-invalid]{border-color:var(--bad)}
form+nav{margin-top:.75rem}.hint{margin:1rem 0 0;font-size:.95rem}
dt{font-size:.9rem;color:var(--soft)}dd{margin:0 0 .75rem}dl{margin:1.5rem 0 -.75rem}`

// Page is a page with one message.
type Page struct {
	Words   Words
	Message Message
	// Partner is the partner's name for users, Bank the bank's name; both may be empty.
	Partner, Bank string
	// Wait and Ask are nil on a page with a message only.
	Wait *Wait
	Ask  *Ask
	// Links are the next steps. The first one is the most likely.
	Links []Link
}

// Link is a link with its label.
type Link struct{ Address, Label string }

// Wait is a page that waits for the user to confirm elsewhere. It reloads itself, which needs
// no script.
type Wait struct {
	// Says is the bank's text; may be empty.
	Says string
	// Left is how much is left of the Total time, and Every is when the page reloads.
	Left, Total, Every time.Duration
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
	if p.Wait != nil {
		fmt.Fprintf(&b, `<meta http-equiv="refresh" content="%d">`, int(p.Wait.Every.Seconds()))
	}
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
	if p.Ask != nil {
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
