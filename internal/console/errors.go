package console

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/dynamo/outcome"
)

// message is a page with a text and where to go from there.
type message struct {
	Text  string
	Links []Link
}

// trouble is the page of an internal error.
type trouble struct{ Trace string }

// isNotFound reports whether an error says that there is no such thing.
func isNotFound(err error) bool {
	return errors.Is(err, outcome.ErrNotFound) || apierror.Is(err, apierror.NotFound)
}

// docs leads to the documentation, which only the local stack serves.
func (c *Console) docs(to, text string) Link {
	if c.Stage != config.Local {
		return Link{}
	}
	return Link{to, text}
}

func messagePage(status int, title, text string) Page {
	return Page{Status: status, Title: title, Template: "message", Data: message{
		Text: text, Links: []Link{{Path, "Overview"}},
	}}
}

func notFoundPage() Page {
	return messagePage(http.StatusNotFound, "There is no such page",
		"It may have been deleted, its data may have expired, or it belongs to another partner.")
}

func forbidden(has, needs Role) Page {
	return messagePage(http.StatusForbidden, "Your role may not do this",
		fmt.Sprintf("It needs the role %s, and yours is %s. Ask whoever manages your accounts.", needs, has))
}

func pageNotFound(call *Call) (Answer, error) {
	if call.URL.Path == Path+"/" {
		return Redirect{To: Path}, nil
	}
	return notFoundPage(), nil
}

func crossOrigin(*Call) (Answer, error) {
	return messagePage(http.StatusForbidden, "This form came from another site",
		"The console accepts forms from its own pages only. Open the page here and try again."), nil
}

// methodNotAllowed returns a handler for a path whose routes have other methods.
func methodNotAllowed(methods []string) Handler {
	slices.Sort(methods)
	return func(*Call) (Answer, error) {
		page := messagePage(http.StatusMethodNotAllowed, "Method not allowed", "Go back and try again.")
		page.Allow = strings.Join(methods, ", ")
		return page, nil
	}
}
