package command

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// documentation is where it is published.
const documentation = "https://aviso.example/docs"

func (a *app) docs() *cobra.Command {
	noBrowser := false
	cmd := a.command("docs [PAGE]", "Open the documentation", func(ctx context.Context, args []string) error {
		address := documentation
		// A local stack has the pages of its own version.
		if l, err := a.credentials(); err == nil && isLocal(l.BaseURL) {
			address = strings.TrimRight(l.BaseURL, "/") + "/docs"
		}
		address += "/" + strings.TrimLeft(strings.Join(args, ""), "/")
		if a.json {
			if err := writeJSON(a.Out, map[string]string{"url": address}); err != nil {
				return err
			}
		} else {
			fmt.Fprintln(a.Out, address)
		}
		if noBrowser {
			return nil
		}
		return a.Browse(ctx, address)
	})
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	return cmd
}

// browse opens an address in the browser of the desktop.
func browse(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...).Start() //nolint:gosec // no shell sees the address
}
