package bank

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// logo draws the bank's initials on the bank's own colour.
func (s *server) logo(w http.ResponseWriter, _ *http.Request, lb localBank) error {
	initials := ""
	for word := range strings.FieldsSeq(lb.Name) {
		if len(initials) < 2 && word[0] >= 'A' && word[0] <= 'Z' {
			initials += word[:1]
		}
	}
	hue := 0
	for _, c := range lb.Slug {
		hue = (hue*31 + int(c)*137) % 360
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age="+fmt.Sprint(int((24*time.Hour).Seconds())))
	_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" `+
		`role="img" aria-label="%s"><rect width="96" height="96" rx="22" fill="hsl(%d 48%% 32%%)"/>`+
		`<path d="M18 74h60" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".55"/>`+
		`<text x="48" y="58" font-family="Georgia, serif" font-size="38" fill="#fff" text-anchor="middle">`+
		`%s</text></svg>`, html.EscapeString(lb.Name), hue, initials)
	return nil
}
