package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	aviso "aviso.example/client"
)

// login is what the configuration file keeps.
type login struct {
	BaseURL      string `json:"baseUrl"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

func (a *app) login() *cobra.Command {
	var l login
	cmd := a.command("login", "Check your credentials and keep them in your configuration directory",
		func(ctx context.Context, _ []string) error { return a.logIn(ctx, l) })
	cmd.Long = `Check your credentials and keep them in your configuration directory, in a file that only
you can read. The secret is asked for, or read from standard input, so that it does not
stay in your shell's history.`
	cmd.Example = `  aviso login --base-url http://localhost:3000 --client-id sandbox
  aviso login --base-url https://… --client-id … <secret.txt`
	cmd.Flags().StringVar(&l.BaseURL, "base-url", "", "address of the environment (asked for if left out)")
	cmd.Flags().StringVar(&l.ClientID, "client-id", "", "your client ID (asked for if left out)")
	return cmd
}

func (a *app) logIn(ctx context.Context, l login) error {
	in := bufio.NewReader(a.In)
	for _, question := range []struct {
		answer *string
		text   string
	}{{&l.BaseURL, "Base URL"}, {&l.ClientID, "Client ID"}} {
		if *question.answer == "" {
			fmt.Fprintf(a.Err, "%s: ", question.text)
			*question.answer = readLine(in)
		}
	}
	fmt.Fprint(a.Err, "Client secret: ")
	secret, err := a.readSecret(in)
	if err != nil {
		return err
	}
	l.ClientSecret = secret
	if err := check(l); err != nil {
		return err
	}
	client, err := newClient(l)
	if err != nil {
		return err
	}
	// A call needs a token. Which scopes the partner has does not matter here.
	if _, err := client.Terms.List(ctx); err != nil && !errors.Is(err, aviso.ErrPermissionDenied) {
		return err
	}
	if err := a.keep(l); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.Out, map[string]string{"baseUrl": l.BaseURL, "clientId": l.ClientID, "file": a.ConfigFile})
	}
	a.note("Logged in to %s as %s. The credentials are in %s.", l.BaseURL, l.ClientID, a.ConfigFile)
	return nil
}

func readLine(in *bufio.Reader) string {
	line, _ := in.ReadString('\n') // at the end of the input, the answer is what has come
	return strings.TrimSpace(line)
}

// readSecret does not show what is typed.
func (a *app) readSecret(in *bufio.Reader) (string, error) {
	terminal, ok := a.In.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		fmt.Fprintln(a.Err)
		return readLine(in), nil
	}
	secret, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(a.Err)
	return strings.TrimSpace(string(secret)), err
}

// check refuses an address to which the secret would travel in the open.
func check(l login) error {
	u, err := url.Parse(l.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLocal(l.BaseURL)) {
		return usage("the base URL must begin with https://, unless it is on this machine")
	}
	if l.ClientID == "" || l.ClientSecret == "" {
		return usage("both a client ID and a client secret are needed")
	}
	return nil
}

// isLocal reports whether an address is on this machine.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Hostname() {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// keep writes the file again, with a new mode: an older one could be readable to others.
func (a *app) keep(l login) error {
	if a.ConfigFile == "" {
		return errors.New("there is no configuration directory; set HOME, or AVISO_* in place of a login")
	}
	if err := os.MkdirAll(filepath.Dir(a.ConfigFile), 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(l, "", "  ") //nolint:gosec // keeping the secret is the purpose
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(a.ConfigFile), "config-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), a.ConfigFile)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// credentials come from the environment if any of them is there, and otherwise from the login.
// They are never mixed: a secret must not reach another environment.
func (a *app) credentials() (login, error) {
	l := login{a.Getenv("AVISO_BASE_URL"), a.Getenv("AVISO_CLIENT_ID"), a.Getenv("AVISO_CLIENT_SECRET")}
	if (l != login{}) {
		if l.BaseURL == "" || l.ClientID == "" || l.ClientSecret == "" {
			return login{}, fmt.Errorf("set all of AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET, or none (%w)", errNotLoggedIn)
		}
		return l, check(l)
	}
	text, err := os.ReadFile(a.ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return login{}, errNotLoggedIn
	}
	if err != nil {
		return login{}, err
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return login{}, fmt.Errorf("%s cannot be read; log in again: %w", a.ConfigFile, err)
	}
	return l, check(l)
}

func (a *app) client() (*aviso.Client, error) {
	l, err := a.credentials()
	if err != nil {
		return nil, err
	}
	return newClient(l)
}

func newClient(l login) (*aviso.Client, error) {
	return aviso.New(aviso.Config{
		ClientID: l.ClientID, ClientSecret: l.ClientSecret, BaseURL: l.BaseURL, UserAgent: "aviso-cli/" + aviso.Version,
	})
}
