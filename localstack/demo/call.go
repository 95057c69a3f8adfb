package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// callWithin bounds one call; the service's own functions have 20 s.
const callWithin = 25 * time.Second

// call is one request, which can be made, and shown as a command that does the
// same. Path, body and once may name variables: $USER_ID.
type call struct {
	method, path string
	// body is JSON, apart from that of a call with basic credentials.
	body string
	// user: the call is made for the user.
	user bool
	// basic: the call identifies the partner by id and secret, as only that for a
	// token does. anonymous: it identifies nobody.
	basic, anonymous bool
	// once is the Idempotency-Key.
	once string
	// accept is the media type asked for, where there are several.
	accept string
	// refused is the code of the refusal that is to come; empty for a success.
	refused string
	// The text of this member of the answer goes into the variable keep, if there.
	member, keep string
	// until is a text that an answer will have in the end.
	until string
	// into is what the command ends with.
	into string
}

func get(path string) call { return call{method: http.MethodGet, path: path} }

func post(path, body string) call { return call{method: http.MethodPost, path: path, body: body} }

func (c call) forUser() call { c.user = true; return c }

func (c call) keeping(member, name string) call { c.member, c.keep = member, name; return c }

func (c call) refusedWith(code string) call { c.refused = code; return c }

// String is the command, with nothing but what every machine has.
func (c call) String() string {
	parts := []string{"curl -s"}
	add := func(wanted bool, part string) {
		if wanted {
			parts[0] += " " + part
		}
	}
	add(c.method == http.MethodDelete || c.method == http.MethodPost && c.body == "", "-X "+c.method)
	add(c.basic, "-u "+clientID+":"+clientSecret)
	add(!c.basic && !c.anonymous, `-H "Authorization: Bearer $TOKEN"`)
	add(c.user, `-H "X-User-Id: $USER_ID"`)
	add(c.accept != "", "-H 'Accept: "+c.accept+"'")
	add(c.body != "" && !c.basic, "-H 'Content-Type: application/json'")
	if c.once != "" {
		parts = append(parts, `-H "Idempotency-Key: `+c.once+`"`)
	}
	if c.body != "" {
		parts = append(parts, "-d "+quote(c.body))
	}
	address := "$BASE_URL" + c.path
	if strings.Contains(address, "?") {
		address = `"` + address + `"`
	}
	if c.member != "" {
		address += ` | sed 's/.*"` + c.member + `":"\([^"]*\)".*/\1/'`
	}
	if find := cmp.Or(c.until, c.refused); find != "" {
		address += " | grep " + quote(find)
	}
	command := strings.Join(append(parts, address+c.into), " \\\n  ")
	switch {
	case c.keep != "":
		return c.keep + "=$(" + command + ")"
	case c.until != "":
		return "for i in $(seq 60); do\n  " + strings.ReplaceAll(command, "\n", "\n  ") + " && break\n  sleep 1\ndone"
	default:
		return command
	}
}

// quote writes a word for the shell, in which variables are filled in.
func quote(text string) string {
	switch {
	case regexp.MustCompile(`^[\w=]+$`).MatchString(text):
		return text
	case strings.HasPrefix(text, "$"):
		return `"` + text + `"`
	case strings.Contains(text, "$"):
		return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
	default:
		return "'" + text + "'"
	}
}

// client makes calls in the name of a partner.
type client struct {
	http    *http.Client
	baseURL string
	// vars are the variables that calls name.
	vars map[string]string
}

// unexpected is an answer other than the one that was to come.
type unexpected struct {
	call   call
	path   string
	status int
	code   string
	text   []byte
}

func (e *unexpected) Error() string {
	instead := ""
	if e.call.refused != "" {
		instead = " instead of " + e.call.refused
	}
	return fmt.Sprintf("%s %s answered %d%s: %s", e.call.method, e.path, e.status, instead, e.text)
}

func (c *client) expand(text string) string {
	return os.Expand(text, func(name string) string { return c.vars[name] })
}

// do makes the call and gives the body of a success, or of the refusal that is
// to come.
func (c *client) do(ctx context.Context, k call) ([]byte, error) {
	path := c.expand(k.path)
	req, err := http.NewRequestWithContext(ctx, k.method, c.baseURL+path, strings.NewReader(c.expand(k.body)))
	if err != nil {
		return nil, err
	}
	header := map[string]string{"Accept": k.accept, "Idempotency-Key": c.expand(k.once)}
	switch {
	case k.basic:
		req.SetBasicAuth(clientID, clientSecret)
		header["Content-Type"] = "application/x-www-form-urlencoded"
	case k.body != "":
		header["Content-Type"] = "application/json"
	}
	if token := c.vars["TOKEN"]; token != "" && !k.anonymous {
		header["Authorization"] = "Bearer " + token
	}
	if k.user {
		header["X-User-Id"] = c.vars["USER_ID"]
	}
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(err)
	}
	text, err := readAll(resp)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.method, path, err)
	}
	code := ""
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		var p struct{ Code string }
		_ = json.Unmarshal(text, &p) // what is no problem document has no code
		code = cmp.Or(p.Code, resp.Status)
	}
	if code != k.refused {
		return nil, &unexpected{call: k, path: path, status: resp.StatusCode, code: code, text: text}
	}
	if k.keep != "" {
		if found := regexp.MustCompile(`.*"` + k.member + `":"([^"]*)"`).FindSubmatch(text); found != nil {
			c.vars[k.keep] = string(found[1])
		}
	}
	return text, nil
}

func (c *client) unanswered(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing answers at %s; start the service first, in another terminal: make run", c.baseURL)
	}
	var broken *url.Error
	if errors.As(err, &broken) { // its own text repeats method and address
		return broken.Err
	}
	return err
}

func readAll(resp *http.Response) ([]byte, error) {
	text, err := io.ReadAll(resp.Body)
	return text, errors.Join(err, resp.Body.Close())
}
