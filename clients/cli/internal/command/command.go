// Package command has the commands of aviso.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// System is what the commands use of the machine.
type System struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	// ConfigFile keeps the login.
	ConfigFile string
	// Browse opens an address in a browser.
	Browse func(ctx context.Context, address string) error
}

// FromSystem returns the real system.
func FromSystem() System {
	file := ""
	if dir, err := os.UserConfigDir(); err == nil {
		file = filepath.Join(dir, "aviso", "config.json")
	}
	return System{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, ConfigFile: file, Browse: browse}
}

// app is what the commands share.
type app struct {
	System
	json bool
	// begun is set once the arguments are found to be right.
	begun bool
}

// Run runs a command and returns the exit code of the process.
func Run(ctx context.Context, s System, args []string) int {
	a := &app{System: s}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	if err != nil && !a.begun {
		err = usageError{err}
	}
	a.report(err)
	return exitCode(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "aviso",
		Short: "Call the Aviso API: bank accounts, transactions, cancellations, callbacks",
		Long: `aviso calls the Aviso API: bank accounts, transactions, cancellations, callbacks.

Log in first, or set AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET.
AVISO_USER_ID takes the place of --user.

Exit codes: 0 done; 1 failed; 2 wrong use; 3 not logged in, or not allowed;
4 refused by the API; 5 no answer or overloaded, so try again later.`,
		Version:       aviso.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON, for programs")
	root.AddCommand(a.login(), a.users(), a.terms(), a.providers(), a.connect(), a.accounts(),
		a.transactions(), a.categories(), a.insights(), a.cancel(), a.cancellations(), a.object(), a.verify(), a.webhooks(),
		a.clock(), a.requests(), a.docs())
	return root
}

// command returns a command that does something.
func (a *app) command(use, short string, run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: arguments, RunE: func(cmd *cobra.Command, args []string) error {
		a.begun = true
		return run(cmd.Context(), args)
	}}
}

// meaning returns what an argument of a command names, and where to find it.
func meaning(placeholder string) (what, where string) {
	switch placeholder {
	case "PROVIDER_ID":
		return "the provider", "`aviso providers search` lists them"
	case "EXTERNAL_ID":
		return "the user", "by the ID that you gave with --external-id"
	case "EVENT":
		return "the event", "`aviso webhooks events` lists them"
	case "CANCELLATION_ID":
		return "the cancellation", "`aviso cancellations list` lists them"
	case "FILE":
		return "the archive", "GET /cancellations/v1/cancellations/{cancellationId}/evidence answers with it"
	case "SUBSCRIPTION_ID":
		return "the subscription", "`aviso webhooks listen` says which one is its own"
	}
	return "the user", "`aviso users create` makes one, and `aviso users find` looks one up"
}

// arguments checks a command's arguments: its use names them, optional ones in brackets.
func arguments(cmd *cobra.Command, args []string) error {
	names := strings.Fields(cmd.Use)[1:]
	if len(args) < len(names) && !strings.HasPrefix(names[len(args)], "[") {
		what, where := meaning(names[len(args)])
		return fmt.Errorf("name %s: %s %s; %s", what, cmd.CommandPath(), names[len(args)], where)
	}
	if len(args) > len(names) && !strings.HasSuffix(cmd.Use, "...]") {
		return fmt.Errorf("unexpected argument %q; see %s --help", args[len(names)], cmd.CommandPath())
	}
	return nil
}

// subcommand refuses a command that a group does not have, and says which one may be meant.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2 // letters
	meant := ""
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		meant = "; did you mean " + strings.Join(similar, " or ") + "?"
	}
	return fmt.Errorf("there is no command %q in %s%s", args[0], cmd.CommandPath(), meant)
}

// group returns a command that only has others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: subcommand, RunE: func(cmd *cobra.Command, _ []string) error {
		return cmd.Help()
	}}
	g.AddCommand(commands...)
	return g
}

// userFlag adds the flag for the user for whom a command acts.
func (a *app) userFlag(cmd *cobra.Command, user *string) *cobra.Command {
	cmd.Flags().StringVarP(user, "user", "u", a.Getenv("AVISO_USER_ID"), "ID of the user (default AVISO_USER_ID)")
	cmd.Flags().Lookup("user").DefValue = ""
	return cmd
}

// actingFor returns the client's view of the user.
func (a *app) actingFor(user string) (*aviso.UserView, error) {
	if user == "" {
		return nil, usage("name the user: --user ID, or AVISO_USER_ID")
	}
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	return client.User(user), nil
}

// note tells people something that is not the result.
func (a *app) note(format string, values ...any) {
	fmt.Fprintln(a.Err, printable(fmt.Sprintf(format, values...)))
}

// usageError is a command that was called wrongly.
type usageError struct{ error }

func usage(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// errNotLoggedIn is the lack of credentials.
var errNotLoggedIn = errors.New("log in first: aviso login")

// The exit codes, as the help lists them.
const (
	done = iota
	failed
	wrongUse
	notAllowed
	refused
	tryAgain
)

func exitCode(err error) int {
	var problem *aviso.Error
	switch {
	case err == nil:
		return done
	case errors.As(err, new(usageError)):
		return wrongUse
	case errors.Is(err, errNotLoggedIn), errors.Is(err, aviso.ErrAuthentication), errors.Is(err, aviso.ErrPermissionDenied):
		return notAllowed
	case errors.Is(err, aviso.ErrRateLimited), errors.Is(err, aviso.ErrServer), errors.Is(err, aviso.ErrConnectionFailed):
		return tryAgain
	case errors.As(err, &problem):
		return refused
	}
	return failed
}
