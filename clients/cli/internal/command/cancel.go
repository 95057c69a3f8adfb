package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// cancellation is what the flags of cancel say.
type cancellation struct {
	user, organization, product, locale string
	fields                              map[string]string
	signature, externalID, key, output  string
	endDate                             string
	extraConsent, repeat                bool
	dryRun, noFollow                    bool
	timeout                             time.Duration
}

func (a *app) cancel() *cobra.Command {
	var c cancellation
	cmd := a.command("cancel [WORDS...]", "Cancel a user's contract, or see what that needs",
		func(ctx context.Context, args []string) error {
			return a.cancelContract(ctx, c, strings.Join(args, " "))
		})
	cmd.Long = `Cancel a user's contract. Search the organization or the product by words, or name it with
--organization and --product. If there are several, they are listed. Without the fields
that the letter needs, the fields are listed. --dry-run writes the letter to a file, and
nothing is sent.`
	cmd.Example = `  aviso cancel mobilfunk                                     # what is there?
  aviso cancel --organization ID --product ID                # which fields does it need?
  aviso cancel … --field CUSTOMER_NUMBER=123 --signature "Anna Muster" --dry-run`
	f := cmd.Flags()
	f.StringVar(&c.organization, "organization", "", "ID of the organization")
	f.StringVar(&c.product, "product", "", "ID of the product")
	f.StringVar(&c.locale, "locale", "", "language of the letter, such as de-DE (default the product's first)")
	f.StringToStringVar(&c.fields, "field", nil, "a field of the letter, as key=value; repeat it")
	f.StringVar(&c.signature, "signature", "", "the user's name, as signature")
	f.StringVar(&c.externalID, "external-id", "", "your own ID of the cancellation")
	f.StringVar(&c.key, "idempotency-key", "", "makes it safe to run the same command again (default a random one)")
	f.StringVar(&c.endDate, "end-date", "", "last day of the contract, as 2026-12-31 (default the earliest possible)")
	f.BoolVar(&c.repeat, "repeat", false, "cancel although the user has already cancelled this product")
	f.BoolVar(&c.extraConsent, "extra-consent", false, "the user consents to a letter that reveals an opinion or belief")
	f.BoolVar(&c.dryRun, "dry-run", false, "write the letter to --output, and send nothing")
	f.StringVar(&c.output, "output", "letter.pdf", "file for the letter of --dry-run")
	f.BoolVar(&c.noFollow, "no-follow", false, "do not wait until the letter is delivered")
	f.DurationVar(&c.timeout, "timeout", time.Minute, "how long to wait for the delivery; the letter goes its way anyway")
	return a.userFlag(cmd, &c.user)
}

func (a *app) cancelContract(ctx context.Context, c cancellation, words string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	product, err := a.findProduct(ctx, client, c, words)
	if err != nil {
		return err
	}
	if product == nil {
		return nil // several were listed
	}
	c.organization, c.product = product.OrganizationID, product.ProductID
	if c.locale == "" && len(product.Locales) > 0 {
		c.locale = product.Locales[0]
	}
	detail, err := client.Catalogue.GetProduct(ctx, c.organization, c.product, &aviso.GetProductParams{Locale: c.locale})
	if err != nil {
		return err
	}
	if len(c.fields) == 0 && c.signature == "" {
		return a.showTemplate(detail, c)
	}
	return a.postCancellation(ctx, c)
}

// findProduct returns the product that is meant. If it may be one of several, or of several
// organizations, it lists them and returns nil.
func (a *app) findProduct(ctx context.Context, client *aviso.Client, c cancellation, words string) (*aviso.Product, error) {
	var products []aviso.Product
	switch {
	case c.organization != "":
		offered, err := client.Catalogue.ListProducts(ctx, c.organization, &aviso.ListProductsParams{Locale: c.locale})
		if err != nil {
			return nil, err
		}
		products = offered
	case words != "":
		found, err := client.Search.Catalogue(ctx, &aviso.SearchCatalogueParams{SearchQuery: words, Locale: c.locale})
		if err != nil {
			return nil, err
		}
		products = found.Data.Products
		organizations := found.Data.Organizations
		if len(products) == 0 && len(organizations) == 1 {
			c.organization = organizations[0].ID
			return a.findProduct(ctx, client, c, "")
		}
		if len(products) == 0 && len(organizations) > 1 {
			a.note("Choose one of these with --organization.")
			return nil, a.show(organizations, []string{"ORGANIZATION ID", "NAME"},
				rowsOf(organizations, func(o aviso.Organization) []string { return []string{o.ID, o.Name} }))
		}
	default:
		return nil, usage("say what to cancel: words to search, or --organization and --product")
	}
	products = slices.DeleteFunc(products, func(p aviso.Product) bool { return c.product != "" && p.ProductID != c.product })
	switch len(products) {
	case 0:
		return nil, errors.New("there is no such product")
	case 1:
		return &products[0], nil
	}
	a.note("Choose one of these with --organization and --product.")
	return nil, a.show(products, []string{"ORGANIZATION ID", "PRODUCT ID", "NAME", "LOCALES"},
		rowsOf(products, func(p aviso.Product) []string {
			return []string{p.OrganizationID, p.ProductID, p.Name, strings.Join(p.Locales, " ")}
		}))
}

// showTemplate lists the fields that a cancellation needs.
func (a *app) showTemplate(p *aviso.ProductDetail, c cancellation) error {
	a.note("To cancel %s, add --organization %s --product %s --locale %s --signature NAME and a --field KEY=VALUE for each of these.",
		p.Name, c.organization, c.product, c.locale)
	return a.show(p, []string{"KEY", "LABEL", "TYPE", "EXAMPLE", "HELP"},
		rowsOf(p.Template, func(f aviso.TemplateField) []string {
			return []string{f.FieldKey, f.Label, f.Type, f.Example, f.Help}
		}))
}

func (a *app) postCancellation(ctx context.Context, c cancellation) error {
	view, err := a.actingFor(c.user)
	if err != nil {
		return err
	}
	body := aviso.CreateCancellationRequest{
		OrganizationID: c.organization, ProductID: c.product, Locale: c.locale, ExtraConsent: c.extraConsent,
		EndDate: c.endDate, Repeat: c.repeat,
		ExternalCancellationRequestIdentifier: c.externalID, Parameters: parameters(c.fields),
		Signature: aviso.Signature{Type: "TEXT", Data: c.signature},
	}
	made, err := view.Cancellations.Create(ctx, body, &aviso.CreateCancellationParams{DryRun: c.dryRun}, keyed(c.key)...)
	if err != nil {
		return err
	}
	if c.dryRun {
		return a.saveLetter(made.Letter, c.output)
	}
	return a.follow(ctx, view, made.Cancellation, c)
}

// parameters sorts the fields: the same command must be the same request, whatever the order
// of a map.
func parameters(fields map[string]string) []aviso.CancellationParameter {
	list := []aviso.CancellationParameter{}
	for key, value := range fields {
		list = append(list, aviso.CancellationParameter{FieldKey: key, FieldValue: value})
	}
	slices.SortFunc(list, func(x, y aviso.CancellationParameter) int { return cmp.Compare(x.FieldKey, y.FieldKey) })
	return list
}

func keyed(key string) []aviso.RequestOption {
	if key == "" {
		return nil
	}
	return []aviso.RequestOption{aviso.WithIdempotencyKey(key)}
}

func (a *app) saveLetter(letter aviso.CancellationLetter, file string) error {
	if err := os.WriteFile(file, letter.PDF, 0o600); err != nil {
		return err
	}
	saved := map[string]string{"file": file, "channel": letter.Channel, "locale": letter.Locale, "sha256": letter.SHA256}
	return a.show(saved, []string{"FILE", "CHANNEL", "LOCALE", "SHA-256"},
		[][]string{{file, letter.Channel, letter.Locale, letter.SHA256}})
}

// follow waits until the letter is delivered, or will never be.
func (a *app) follow(ctx context.Context, view *aviso.UserView, made aviso.Cancellation, c cancellation) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	current, shown := &made, 0
	for {
		for _, step := range current.History[shown:] {
			a.note("%s  %s", moment(step.At), step.Status)
		}
		shown = len(current.History)
		if c.noFollow || settled(current.Status) || ctx.Err() != nil {
			break
		}
		wait(ctx)
		next, err := view.Cancellations.Get(ctx, made.CancellationID)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		current = next
	}
	if err := a.show(current, []string{"CANCELLATION ID", "STATUS", "REASON", "CHANNEL", "TRACKING"},
		[][]string{{current.CancellationID, current.Status, current.StatusReason, current.Channel, current.TrackingNumber}}); err != nil {
		return err
	}
	if current.Status == "DeliveryFailed" || current.Status == "Rejected" {
		return fmt.Errorf("the cancellation ended as %s %s", current.Status, current.StatusReason)
	}
	return nil
}

func settled(status string) bool {
	return slices.Contains([]string{"Delivered", "Confirmed", "DeliveryFailed", "Rejected", "Withdrawn"}, status)
}
