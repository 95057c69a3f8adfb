package command

import (
	"context"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

func (a *app) users() *cobra.Command {
	var create aviso.CreateUserRequest
	creating := a.command("create", "Create a user", func(ctx context.Context, _ []string) error {
		return a.showUser(func(c *aviso.Client) (*aviso.User, error) { return c.Users.Create(ctx, create) })
	})
	creating.PostRun = func(cmd *cobra.Command, _ []string) {
		if !cmd.Flags().Changed("country") || !cmd.Flags().Changed("language") {
			a.note("Country %s, language %s: choose others with --country and --language.", create.CountryCode, create.LanguageCode)
		}
	}
	creating.Flags().StringVar(&create.CountryCode, "country", "DE", "the user's country (ISO 3166-1)")
	creating.Flags().StringVar(&create.LanguageCode, "language", "en", "language of the pages for the user (ISO 639-1)")
	creating.Flags().StringVar(&create.ExternalID, "external-id", "", "your own ID; the same one always gives the same user")

	getting := a.command("get USER_ID", "Show a user", func(ctx context.Context, args []string) error {
		return a.showUser(func(c *aviso.Client) (*aviso.User, error) { return c.Users.Get(ctx, args[0]) })
	})
	finding := a.command("find EXTERNAL_ID", "Find a user by your own ID",
		func(ctx context.Context, args []string) error {
			return a.showUser(func(c *aviso.Client) (*aviso.User, error) {
				return c.Users.Find(ctx, &aviso.FindUserParams{ExternalID: args[0]})
			})
		})
	finding.Aliases = []string{"list-by-external-id"}

	yes := false
	deleting := a.command("delete USER_ID", "Erase a user and all data about the user",
		func(ctx context.Context, args []string) error {
			if !yes {
				return usage("this erases the user for good; confirm with --yes")
			}
			return a.eraseUser(ctx, args[0])
		})
	deleting.Flags().BoolVar(&yes, "yes", false, "confirm")
	return group("users", "Create, find and erase users", creating, getting, finding, deleting)
}

func (a *app) showUser(call func(*aviso.Client) (*aviso.User, error)) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	u, err := call(client)
	if err != nil {
		return err
	}
	return a.show(u, []string{"USER ID", "COUNTRY", "LANGUAGE", "EXTERNAL ID", "CREATED"},
		[][]string{{u.UserID, u.CountryCode, u.LanguageCode, u.ExternalID, moment(u.CreatedAt)}})
}

func (a *app) eraseUser(ctx context.Context, id string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	erasure, err := client.Users.Delete(ctx, id)
	if err != nil {
		return err
	}
	return a.show(erasure, []string{"ERASURE ID", "STATUS"}, [][]string{{erasure.ErasureID, erasure.Status}})
}

func (a *app) terms() *cobra.Command {
	listing := a.command("list", "List the terms in force", func(ctx context.Context, _ []string) error {
		client, err := a.client()
		if err != nil {
			return err
		}
		terms, err := client.Terms.List(ctx)
		if err != nil {
			return err
		}
		return list(a, "terms", terms, []string{"TYPE", "VERSION", "TEXT"},
			func(t aviso.Terms) []string { return []string{t.TermsType, t.Version, t.URL} })
	})
	user := ""
	accepting := a.command("accept", "Record that a user accepts all terms in force",
		func(ctx context.Context, _ []string) error { return a.acceptTerms(ctx, user) })
	return group("terms", "The terms that users accept", listing, a.userFlag(accepting, &user))
}

func (a *app) acceptTerms(ctx context.Context, user string) error {
	view, err := a.actingFor(user)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	terms, err := client.Terms.List(ctx)
	if err != nil {
		return err
	}
	accepted := []aviso.TermsAcceptance{}
	for _, t := range terms {
		one, err := view.Terms.Accept(ctx, aviso.AcceptTermsRequest{TermsType: t.TermsType, Version: t.Version})
		if err != nil {
			return err
		}
		accepted = append(accepted, *one)
	}
	return a.show(accepted, []string{"TYPE", "VERSION", "ACCEPTED"}, rowsOf(accepted, func(t aviso.TermsAcceptance) []string {
		return []string{t.TermsType, t.Version, moment(t.AcceptedAt)}
	}))
}
