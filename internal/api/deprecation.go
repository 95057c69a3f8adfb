package api

import (
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Deprecation says when an operation was deprecated and when it goes away. Every response
// of the operation announces that, errors too.
type Deprecation struct {
	Since, Sunset time.Time
	// Guide is the URL of the page that says what to do instead; Successor that of the
	// operation to call instead, if there is one.
	Guide, Successor string
}

// headers returns what announces the deprecation (RFC 9745 and RFC 8594).
func (d Deprecation) headers() map[string]string {
	link := fmt.Sprintf(`<%s>; rel="deprecation"`, d.Guide)
	if d.Successor != "" {
		link += fmt.Sprintf(`, <%s>; rel="successor-version"`, d.Successor)
	}
	return map[string]string{
		"Deprecation": fmt.Sprintf("@%d", d.Since.Unix()), "Sunset": d.Sunset.UTC().Format(http.TimeFormat), "Link": link,
	}
}

// describe declares the headers, and the sunset for whoever compares documents.
func (d Deprecation) describe(op *huma.Operation, components *huma.Components) {
	op.Deprecated = true
	op.Extensions = map[string]any{"x-sunset": d.Sunset.UTC().Format(time.DateOnly)}
	for name, value := range d.headers() {
		components.Headers[name].Example = value
		for _, response := range op.Responses {
			response.Headers[name] = &huma.Param{Ref: "#/components/headers/" + name}
		}
	}
}
