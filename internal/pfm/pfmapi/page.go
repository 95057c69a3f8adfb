package pfmapi

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
)

// pageStyle is the page's only style sheet. The Content-Security-Policy names its
// hash, so the browser accepts no other style and no script.
const pageStyle = `:root{color-scheme:light dark;--ink:#17202e;--soft:#4c586b;--paper:#f3f5f9;
--card:#fff;--line:#d9dfe9;--act:#1a56c4;--on-act:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eef2f8;--soft:#b3bfd1;--paper:#10161f;
--card:#1a222e;--line:#344154;--act:#8ab4ff;--on-act:#0b1830}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;
background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;
padding:2rem 1.75rem}
p{margin:0 0 1rem;color:var(--soft)}h1{margin:.25rem 0 .75rem;font-size:1.5rem;line-height:1.25}
.bank{margin:0;font-weight:600;color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
a{display:inline-block;padding:.7rem 1.2rem;border-radius:.6rem;border:1px solid var(--act);color:var(--act);
text-decoration:none;font-weight:600}
a.main{background:var(--act);color:var(--on-act)}a:focus-visible{outline:3px solid var(--act);outline-offset:3px}`

// pageHead is the page up to its title.
const pageHead = `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
	`<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>`

// writePage shows a message with links to try again and to return to the partner.
// It builds the HTML by hand because html/template adds 2.7 MB to a function; it
// escapes every value.
func writePage(w http.ResponseWriter, m message, visit pfm.Visit, retryURL string) {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString(html.EscapeString(m.title))
	b.WriteString(`</title><style>` + pageStyle + `</style></head><body><main>`)
	if visit.BankName != "" {
		b.WriteString(`<p class="bank">` + html.EscapeString(visit.BankName) + `</p>`)
	}
	b.WriteString(`<h1>` + html.EscapeString(m.title) + `</h1><p>` + html.EscapeString(m.text) + `</p>`)
	if retryURL != "" || visit.ReturnTo != "" {
		b.WriteString(`<nav aria-label="What to do next">`)
		if retryURL != "" {
			b.WriteString(`<a class="main" href="` + html.EscapeString(retryURL) + `">Try again</a>`)
		}
		if visit.ReturnTo != "" {
			b.WriteString(`<a href="` + html.EscapeString(visit.ReturnTo) + `">`)
			b.WriteString(`Back to ` + html.EscapeString(hostOf(visit.ReturnTo)) + `</a>`)
		}
		b.WriteString(`</nav>`)
	}
	b.WriteString(`</main></body></html>`)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+styleHash()+"'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	w.WriteHeader(m.status)
	_, _ = w.Write([]byte(b.String()))
}

func styleHash() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "where you came from"
	}
	return u.Host
}
