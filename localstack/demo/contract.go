package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// ending is a contract on its way out.
type ending struct {
	company string
	product product
	// draft is the letter of a dry run.
	draft     letter
	draftedAt time.Time
	made      cancellation
}

// Labels are in a language that who watches can read, letters in that of their
// readers.
const labelsIn, lettersIn = "en-GB", "de-DE"

// standIn is cancelled where the transactions show nothing that goes by e-mail.
const standIn = "Vidorama"

// acceptCancelling asks too early on purpose.
func (w *walker) acceptCancelling(ctx context.Context) error {
	w.screen.begin("The partner asks to cancel, before the user has agreed", "Terms of the cancellation provider come first. The refusal names them.")
	candidates, err := w.candidates(ctx)
	if err != nil {
		return err
	}
	body := request(product{OrganizationID: candidates[0].OrganizationID, ProductID: candidates[0].ProductID})
	var refused struct {
		Errors []struct{ Code, Detail string }
	}
	ask := call{method: http.MethodPost, path: cancellationPath + "/cancellations", body: body, refused: "terms_not_accepted"}
	if err := w.partner.do(ctx, ask, &refused); err != nil {
		return err
	}
	if len(refused.Errors) != 1 || refused.Errors[0].Code != "CancellationProvider" {
		return fmt.Errorf("the refusal names %v; want the terms of CancellationProvider", refused.Errors)
	}
	accepted, err := w.accept(ctx, func(termsType string) bool { return termsType == "CancellationProvider" })
	if err != nil {
		return err
	}
	if len(accepted) != 1 {
		return errors.New("there are no terms of CancellationProvider")
	}
	w.screen.curl(`curl -s`+authorization+actingUser+asJSON+` \`,
		`  -d '{"organizationId":"`+body.OrganizationID+`",`,
		`       "productId":"`+body.ProductID+`","locale":"`+lettersIn+`",`,
		`       "parameters":[],"signature":{"type":"TEXT","data":"`+signer+`"}}' \`,
		`  $BASE_URL`+cancellationPath+`/cancellations | grep terms_not_accepted`,
		`curl -s`+authorization+asJSON+` \`,
		`  -d '{"termsType":"`+accepted[0].TermsType+`","version":"`+accepted[0].Version+`"}' \`,
		`  $BASE_URL`+identityPath+`/users/$USER_ID/terms-acceptances`)
	w.screen.end("refused with 403; then accepted: %s", accepted[0])
	return nil
}

// candidates lead to the products of the contracts that can be cancelled, the
// dearest first, and to the stand-in.
func (w *walker) candidates(ctx context.Context) ([]cancellable, error) {
	var found []cancellable
	for _, c := range w.contracts {
		found = append(found, *c.Cancellable)
	}
	company, err := w.search(ctx, standIn)
	if err != nil {
		return nil, err
	}
	productID, err := w.firstProduct(ctx, company.ID)
	if err != nil {
		return nil, err
	}
	return append(found, cancellable{OrganizationID: company.ID, ProductID: productID}), nil
}

// search gives the best match.
func (w *walker) search(ctx context.Context, words string) (organization, error) {
	var found envelope[searchData]
	path := cancellationPath + "/search?searchQuery=" + url.QueryEscape(words)
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &found); err != nil {
		return organization{}, err
	}
	if len(found.Data.Organizations) == 0 {
		return organization{}, fmt.Errorf("the search for %q finds nothing", words)
	}
	return found.Data.Organizations[0], nil
}

func (w *walker) firstProduct(ctx context.Context, organizationID string) (string, error) {
	var list envelope[productsData]
	path := cancellationPath + "/organizations/" + organizationID + "/products?locale=" + lettersIn
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &list); err != nil {
		return "", err
	}
	if len(list.Data.Products) == 0 {
		return "", fmt.Errorf("organization %s has no products", organizationID)
	}
	return list.Data.Products[0].ProductID, nil
}

// chooseContract takes the dearest contract whose letter goes by e-mail, so that
// there is something to see in the inbox.
func (w *walker) chooseContract(ctx context.Context) error {
	w.screen.begin("The partner shows what it takes to end a contract", "Its cancellable leads to a product, whose template lists all that the letter needs.")
	candidates, err := w.candidates(ctx)
	if err != nil {
		return err
	}
	for i, c := range candidates {
		e := ending{company: standIn}
		if i < len(w.contracts) {
			e.company = w.contracts[i].Merchant.Name
		}
		if e.product, err = w.readProduct(ctx, c); err != nil {
			return err
		}
		if e.draft, err = w.preview(ctx, e.product); err != nil {
			return err
		}
		if e.draft.Channel == "Email" {
			w.ending = e
			break
		}
	}
	p := w.ending.product
	if p.ProductID == "" {
		return errors.New("no contract can be cancelled by e-mail")
	}
	w.screen.curl(`ORGANIZATION_ID=`+p.OrganizationID, `PRODUCT_ID=`+p.ProductID, `curl -s`+authorization+` \`,
		`  "$BASE_URL`+cancellationPath+`/organizations/$ORGANIZATION_ID/products/$PRODUCT_ID?locale=`+labelsIn+`"`)
	rows := make([][]string, len(p.Template))
	for i, f := range p.Template {
		format := f.Format
		if len(format) > 24 {
			format = "a longer pattern"
		}
		rows[i] = []string{f.FieldKey, shorten(f.Label, 34), format}
	}
	w.screen.table([]string{"Field", "Label", "Format"}, rows)
	w.screen.end("%s: %s", w.ending.company, p.Name)
	return nil
}

func (w *walker) readProduct(ctx context.Context, c cancellable) (product, error) {
	var answer envelope[productData]
	path := cancellationPath + "/organizations/" + c.OrganizationID + "/products/" + c.ProductID + "?locale=" + labelsIn
	err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &answer)
	return answer.Data.Product, err
}

// signer is the user, as a letter has it.
const signer = "Anna Sommer"

// request fills a product's template in.
func request(p product) cancellationRequest {
	r := cancellationRequest{
		OrganizationID: p.OrganizationID, ProductID: p.ProductID, Locale: lettersIn,
		Parameters: []parameter{}, Signature: signature{Type: "TEXT", Data: signer},
	}
	for _, f := range p.Template {
		r.Parameters = append(r.Parameters, parameter{FieldKey: f.FieldKey, FieldValue: value(f)})
	}
	return r
}

// value is what the user enters into a field.
func value(f templateField) string {
	known := map[string]string{
		"NAME": signer, "ADDRESS": "Lindenallee 12", "ZIP": "50667", "CITY": "Köln", "EMAIL": "anna.sommer@example.org",
		"PHONE_NUMBER": "+49 221 4710 123", "DATA_DELETE_REQUEST": "true",
	}
	if v, ok := known[f.FieldKey]; ok {
		return v
	}
	for _, v := range []string{"K-204817", "204817", "K204817", "1990-04-17", "89490200001234567890"} {
		if fits, err := regexp.MatchString(f.Format, v); err == nil && fits {
			return v
		}
	}
	return ""
}
