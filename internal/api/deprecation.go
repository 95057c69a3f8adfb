package api

import (
	"fmt"
	"net/http"
	"time"
)

// Deprecation says when an operation was deprecated and when it is removed. Every response of the operation announces
// it, errors too.
type Deprecation struct {
	Since, Sunset time.Time
	// Guide is the URL of the migration guide. Successor is the URL of the operation to call instead, if there is one.
	Guide, Successor string
}

// Headers returns the headers of a deprecation (RFC 9745 and RFC 8594).
func (d Deprecation) Headers() map[string]string {
	link := fmt.Sprintf(`<%s>; rel="deprecation"`, d.Guide)
	if d.Successor != "" {
		link += fmt.Sprintf(`, <%s>; rel="successor-version"`, d.Successor)
	}
	return map[string]string{
		"Deprecation": fmt.Sprintf("@%d", d.Since.Unix()), "Sunset": d.Sunset.UTC().Format(http.TimeFormat), "Link": link,
	}
}
