// Package partner calls the service as a partner does, over plain HTTP. It can print each
// call as an equivalent shell command.
package partner

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

// CallWithin limits one call; the service's functions time out after 20 s.
const CallWithin = 25 * time.Second

// The credentials of the local stack's first partner are public.
const (
	ClientID     = "sandbox"
	ClientSecret = "sandbox-secret" // #nosec G101
)

// Call is a request that can be made, and printed as a command. Path, Body and Once may
// contain variables, such as $USER_ID.
type Call struct {
	Method, Path string
	// Body is JSON, or a form if Basic is set.
	Body string
	// User says that the call acts for the user.
	User bool
	// Basic says that the call authenticates with the partner's ID and secret, which
	// only the token endpoint accepts. Anonymous calls do not authenticate.
	Basic, Anonymous bool
	// Once is the Idempotency-Key.
	Once string
	// Accept is the requested media type, if there are several.
	Accept string
	// Refused is the code of the expected problem; empty means success.
	Refused string
	// Member is the member of the response that is stored in the variable Keep.
	Member, Keep string
	// Until is a text that the response will contain eventually.
	Until string
	// Into is the end of the command.
	Into string
}

// Get returns a GET call.
func Get(path string) Call { return Call{Method: http.MethodGet, Path: path} }

// Post returns a POST call; body may be empty.
func Post(path, body string) Call { return Call{Method: http.MethodPost, Path: path, Body: body} }

// ForUser returns the call, acting for the user.
func (c Call) ForUser() Call { c.User = true; return c }

// Keeping returns the call, storing a member of the response in a variable.
func (c Call) Keeping(member, name string) Call { c.Member, c.Keep = member, name; return c }

// RefusedWith returns the call, expecting a problem with this code.
func (c Call) RefusedWith(code string) Call { c.Refused = code; return c }

// String returns the command, which uses only tools that every machine has.
func (c Call) String() string {
	parts := []string{"curl -s"}
	add := func(wanted bool, part string) {
		if wanted {
			parts[0] += " " + part
		}
	}
	add(c.Method == http.MethodDelete || c.Method == http.MethodPost && c.Body == "", "-X "+c.Method)
	add(c.Basic, "-u "+ClientID+":"+ClientSecret)
	add(!c.Basic && !c.Anonymous, `-H "Authorization: Bearer $TOKEN"`)
	add(c.User, `-H "X-User-Id: $USER_ID"`)
	add(c.Accept != "", "-H 'Accept: "+c.Accept+"'")
	add(c.Body != "" && !c.Basic, "-H 'Content-Type: application/json'")
	if c.Once != "" {
		parts = append(parts, `-H "Idempotency-Key: `+c.Once+`"`)
	}
	if c.Body != "" {
		parts = append(parts, "-d "+quote(c.Body))
	}
	address := "$BASE_URL" + c.Path
	if strings.Contains(address, "?") {
		address = `"` + address + `"`
	}
	if c.Member != "" {
		address += ` | sed 's/.*"` + c.Member + `":"\([^"]*\)".*/\1/'`
	}
	if find := cmp.Or(c.Until, c.Refused); find != "" {
		address += " | grep " + quote(find)
	}
	command := strings.Join(append(parts, address+c.Into), " \\\n  ")
	switch {
	case c.Keep != "":
		return c.Keep + "=$(" + command + ")"
	case c.Until != "":
		return "for i in $(seq 60); do\n  " + strings.ReplaceAll(command, "\n", "\n  ") + " && break\n  sleep 1\ndone"
	default:
		return command
	}
}

// quote quotes a word for the shell so that variables are still expanded.
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

// Client makes calls as a partner.
type Client struct {
	HTTP    *http.Client
	BaseURL string
	// ID and Secret authenticate the partner. If they are empty, it is the local stack's first.
	ID, Secret string
	// Vars are the variables in calls.
	Vars map[string]string
}

// Unexpected is returned for a response other than the expected one.
type Unexpected struct {
	// Code is the problem's code.
	Code string

	call   Call
	path   string
	status int
	text   []byte
}

func (e *Unexpected) Error() string {
	instead := ""
	if e.call.Refused != "" {
		instead = " instead of " + e.call.Refused
	}
	return fmt.Sprintf("%s %s answered %d%s: %s", e.call.Method, e.path, e.status, instead, e.text)
}

func (c *Client) expand(text string) string {
	return os.Expand(text, func(name string) string { return c.Vars[name] })
}

// Do makes the call and returns the body of a success, or of the expected problem.
func (c *Client) Do(ctx context.Context, k Call) ([]byte, error) {
	path := c.expand(k.Path)
	req, err := http.NewRequestWithContext(ctx, k.Method, c.BaseURL+path, strings.NewReader(c.expand(k.Body)))
	if err != nil {
		return nil, err
	}
	header := map[string]string{"Accept": k.Accept, "Idempotency-Key": c.expand(k.Once)}
	switch {
	case k.Basic:
		req.SetBasicAuth(cmp.Or(c.ID, ClientID), cmp.Or(c.Secret, ClientSecret))
		header["Content-Type"] = "application/x-www-form-urlencoded"
	case k.Body != "":
		header["Content-Type"] = "application/json"
	}
	if token := c.Vars["TOKEN"]; token != "" && !k.Basic && !k.Anonymous {
		header["Authorization"] = "Bearer " + token
	}
	if k.User {
		header["X-User-Id"] = c.Vars["USER_ID"]
	}
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, c.unanswered(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.Method, path, err)
	}
	code := ""
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		var p struct{ Code string }
		_ = json.Unmarshal(text, &p) // anything else has no code
		code = cmp.Or(p.Code, resp.Status)
	}
	if code != k.Refused {
		return nil, &Unexpected{Code: code, call: k, path: path, status: resp.StatusCode, text: text}
	}
	if k.Keep != "" {
		if found := regexp.MustCompile(`.*"` + k.Member + `":"([^"]*)"`).FindSubmatch(text); found != nil {
			c.Vars[k.Keep] = string(found[1])
		}
	}
	return text, nil
}

func (c *Client) unanswered(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing answers at %s; start the service in another terminal first: make run", c.BaseURL)
	}
	if broken, ok := errors.AsType[*url.Error](err); ok { // whose text repeats method and address
		return broken.Err
	}
	return err
}
