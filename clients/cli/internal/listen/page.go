package listen

import (
	_ "embed" // of the page's files
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed words.json
	wordsJSON []byte
)

// words are the page's texts in a language, by name: success, cancelled and failed are what the
// status says.
type words map[string]string

// page shows the page for a user who returns from a bank. In reality, your application would
// continue here.
func (r *receiver) page(w http.ResponseWriter, req *http.Request) {
	query := req.URL.Query()
	if req.Method == http.MethodGet && query.Get("connectionId") != "" {
		r.screen.returned(r.now(), query.Get("connectionId"), query.Get("status"))
	}
	Page(w, req)
}

// Page answers a user who returns from a bank.
func Page(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/favicon.ico" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	page := struct {
		Language, Title, Text, Outcome, ConnectionID, Status string
		Style                                                template.CSS
	}{
		Language: "en", Title: "This is a webhook receiver",
		Text:  "Callbacks appear in the terminal where aviso webhooks listen runs.",
		Style: template.CSS(pageCSS), //nolint:gosec // our own
	}
	if query := req.URL.Query(); query.Get("connectionId") != "" {
		language, texts := choose(req.Header.Get("Accept-Language"))
		page.Language, page.Title, page.Text = language, texts["title"], texts["text"]
		page.ConnectionID, page.Status = query.Get("connectionId"), query.Get("status")
		switch page.Status {
		case "success", "cancelled", "failed":
			page.Outcome = texts[page.Status]
		}
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Language", page.Language)
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	t := template.Must(template.New("page").Parse(pageHTML))
	_ = t.Execute(w, page) // fails only if the browser has gone
}

// choose returns the first language of the browser's that we have. Browsers send their favourite
// first.
func choose(acceptLanguage string) (string, words) {
	var all map[string]words
	_ = json.Unmarshal(wordsJSON, &all) // a test reads it
	for tag := range strings.SplitSeq(acceptLanguage, ",") {
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), ";")
		language, _, _ = strings.Cut(language, "-")
		if texts, found := all[language]; found {
			return language, texts
		}
	}
	return "en", all["en"]
}
