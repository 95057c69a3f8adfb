package command

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"aviso.example/cli/internal/evidence"
)

func (a *app) verify() *cobra.Command {
	var keys, authority, issuer string
	cmd := a.command("verify FILE", "Verify the evidence of a cancellation, a ZIP archive, offline",
		func(_ context.Context, args []string) error {
			archive, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			keySet, err := os.ReadFile(keys) //nolint:gosec // the user names the file
			if err != nil {
				return err
			}
			roots, err := certificates(authority)
			if err != nil {
				return err
			}
			issuers, err := certificates(issuer)
			if err != nil {
				return err
			}
			return a.judge(evidence.Verify(archive, keySet, roots, issuers...))
		})
	cmd.Flags().StringVar(&keys, "jwks", "", "file with the key set of the service, from /.well-known/jwks.json")
	cmd.Flags().StringVar(&authority, "tsa", "", "file with the root certificate of the time-stamp authority, in PEM")
	cmd.Flags().StringVar(&issuer, "ca", "", "file with the root certificate that vouches for the key of the service, in PEM")
	_ = cmd.MarkFlagRequired("jwks") // the flag exists
	return cmd
}

// certificates reads a file of certificates. Without a file there are none.
func certificates(file string) ([]*x509.Certificate, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	var list []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("read %s: no certificate in PEM", file)
	}
	return list, nil
}

// judge prints what the archive proves, and fails if something is wrong with it.
func (a *app) judge(r evidence.Result) error {
	heads := []string{"CANCELLATION ID", "STATUS", "STEPS", "STAMPED AT", "AUTHORITY", "ROOT (SHA-256)"}
	stamped, but := "not time-stamped", ", but not time-stamped"
	if r.StampedAt != nil {
		stamped, but = moment(*r.StampedAt), ""
	}
	rows := [][]string{{r.CancellationID, r.Status, strconv.Itoa(r.Entries), stamped, r.Authority, r.AuthorityRoot}}
	if len(r.Problems) > 0 {
		heads, rows = []string{"FILE", "PROBLEM"}, nil
		for _, p := range r.Problems {
			rows = append(rows, []string{p.Member, p.What})
		}
	}
	if err := a.show(r, heads, rows); err != nil {
		return err
	}
	if len(r.Problems) > 0 {
		return fmt.Errorf("the evidence is not genuine: %d problems", len(r.Problems))
	}
	a.note("The evidence is genuine%s.", but)
	return nil
}
