// Package cancellationtest has test doubles for the cancellation area: a catalogue
// of a few products, a gate, a writer of plain letters, and a programmable carrier.
package cancellationtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// User returns a user of the partner p.
func User() owner.User {
	return owner.User{Partner: "p", ID: "6f9a1d7e-0000-4000-8000-000000000001"}
}

// Gate admits everybody unless it has an error to return.
type Gate struct {
	// Refuse is returned by every method. RefuseTerms is returned by AdmitCancelling.
	Refuse, RefuseTerms error
}

// Admit implements request.Gate.
func (g Gate) Admit(context.Context, owner.User) error { return g.Refuse }

// AdmitCancelling implements request.Gate.
func (g Gate) AdmitCancelling(context.Context, owner.User) error {
	return cmp.Or(g.RefuseTerms, g.Refuse)
}

// Writer writes the letter's fields as text, and first the last day of the contract. It
// cannot print a heart.
type Writer struct{}

// Check refuses a heart.
func (Writer) Check(text string) error {
	if strings.ContainsRune(text, '❤') {
		return &cancellation.UnprintableError{Rune: '❤', Name: "U+2764"}
	}
	return nil
}

// Write refuses images that do not begin like a PNG.
func (Writer) Write(l cancellation.Letter) (cancellation.Document, error) {
	if len(l.Signature.Image) > 0 && !strings.HasPrefix(string(l.Signature.Image), "\x89PNG") {
		return cancellation.Document{}, &cancellation.ImageError{Reason: "is not a PNG"}
	}
	d := cancellation.Document{
		PDF:     []byte(fmt.Sprintf("%%PDF-1.7\nEnd:%s %+v\n%%%%EOF\n", l.End.Format(time.DateOnly), l)),
		Subject: "Cancellation of " + l.Product, Text: "Please.", FileName: "cancellation.pdf",
	}
	if l.Enclosed != nil {
		d.Joined = fmt.Appendf(nil, "%s and %s", d.PDF, l.Enclosed.Document.Head)
	}
	return d, nil
}

// Evidence returns a service whose summaries are the digests of the last steps, and which
// signs with a word and has no time stamps.
func Evidence(store interface {
	request.Store
	evidence.Store
}) *evidence.Bundles {
	requests := &request.Requests{Store: store, Product: NewProducts().OrganizationProduct, Gate: Gate{}}
	return &evidence.Bundles{
		Store: store, Case: requests.Case,
		Summarize: func(d evidence.Document, _ string) ([]byte, error) { return []byte(d.Head.String()), nil },
		Sign:      func(context.Context, []byte) ([]byte, error) { return []byte("signed"), nil },
	}
}

// Products is a catalogue: a map of product IDs to products.
type Products map[string]catalogue.Product

// OrganizationProduct is a request.FindProduct. Only the party needs extra
// consent.
func (p Products) OrganizationProduct(
	_ context.Context, organizationID, productID string,
) (catalogue.Organization, catalogue.Product, error) {
	product, ok := p[productID]
	if !ok || product.OrganizationID != organizationID {
		return catalogue.Organization{}, catalogue.Product{}, outcome.ErrNotFound
	}
	o := catalogue.Organization{
		ID: organizationID, Name: "Organization " + product.Slug, ExtraConsent: product.Slug == "party",
	}
	return o, product, nil
}

// NewProducts returns a product for each form and channel, with the slugs streaming
// (e-mail, then fax, then mail), post (registered mail, then mail), written (e-mail,
// which its form rules out, then mail), ink (original signature), party (extra consent) and
// gym (its terms: at the end of a month, with a notice of a month) and phone (of sector Telecom).
func NewProducts() Products {
	email := cancellation.Channel{Kind: cancellation.ChannelEmail, Email: "kuendigung@organization.example"}
	fax := cancellation.Channel{Kind: cancellation.ChannelFax, Fax: "+4922155500123"}
	address := &cancellation.PostalAddress{
		Recipient: []string{"Organization GmbH"}, Street: "Weg 1",
		PostalCode: "50667", City: "Köln", CountryCode: "DE",
	}
	mail := cancellation.Channel{Kind: cancellation.ChannelMail, Address: address}
	registered := cancellation.Channel{Kind: cancellation.ChannelRegisteredMail, Address: address}
	var fields []catalogue.Field
	for _, f := range [][2]string{
		{catalogue.FieldName, ""}, {catalogue.FieldZIP, "^[a-zA-Z0-9 ]{1,20}$"},
		{catalogue.FieldEmail, "^[^@ ]+@[^@ ]+$"}, {catalogue.FieldCustomerNumber, "^K-[0-9]+$"},
	} {
		labels := map[cancellation.Locale]string{"de-DE": "de " + f[0], "en-GB": "en " + f[0]}
		fields = append(fields, catalogue.Field{Key: f[0], Format: f[1], Labels: labels})
	}
	monthly := deadline.Terms{
		Sector: "Services", NoticePeriod: "P1M", Renewal: deadline.RenewalOpen, EndOf: deadline.EndOfMonth, Source: "terms",
	}
	phone := deadline.Terms{Sector: deadline.Telecom, Renewal: deadline.RenewalOpen, Source: "terms"}
	text, byMail := catalogue.FormText, []cancellation.Channel{email}
	all := Products{}
	for slug, p := range map[string]catalogue.Product{
		"streaming": {Form: text, Channels: []cancellation.Channel{email, fax, mail}},
		"post":      {Form: text, Channels: []cancellation.Channel{registered, mail}},
		"written":   {Form: catalogue.FormWritten, Channels: []cancellation.Channel{email, mail}},
		"ink":       {Form: catalogue.FormWetInk, Channels: []cancellation.Channel{mail}},
		"party":     {Form: text, Channels: byMail},
		"gym":       {Form: text, Channels: byMail, Terms: []deadline.Terms{monthly}},
		"phone":     {Form: text, Channels: byMail, Terms: []deadline.Terms{phone}},
	} {
		p.ID, p.OrganizationID = catalogue.ProductID(slug, "contract"), catalogue.OrganizationID(slug)
		p.Slug, p.Name = slug, "Contract "+slug
		p.Locales, p.Fields = []cancellation.Locale{"de-DE", "en-GB"}, slices.Clone(fields)
		all[p.ID] = p
	}
	return all
}

// Request returns a valid request for the product with this slug.
func Request(slug string) request.Request {
	return request.Request{
		OrganizationID: catalogue.OrganizationID(slug), ProductID: catalogue.ProductID(slug, "contract"),
		Locale: "de-DE",
		Parameters: []request.Parameter{
			{Key: catalogue.FieldName, Value: "Anna Sommer"}, {Key: catalogue.FieldZIP, Value: "50667"},
			{Key: catalogue.FieldEmail, Value: "anna@example.org"},
			{Key: catalogue.FieldCustomerNumber, Value: "K-1"},
		},
		Signature: cancellation.Signature{Text: "Anna Sommer"},
	}
}

// ErrTerms is a gate's refusal of a user who has not accepted the terms.
var ErrTerms = apierror.New(apierror.TermsNotAccepted, "The user has not accepted the terms.")

// LastLetter is a Writer that keeps the last letter.
type LastLetter struct {
	Writer
	cancellation.Letter
}

func (w *LastLetter) Write(l cancellation.Letter) (cancellation.Document, error) {
	w.Letter = l
	return w.Writer.Write(l)
}
