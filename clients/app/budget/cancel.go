package budget

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"net/http"
	"regexp"
	"strings"

	aviso "aviso.example/client"
)

// field is a field of a product's template as a form shows it.
type field struct {
	Key, Label, Pattern, Value, Type, Autocomplete, Help, Example string
	Required, Wrong                                               bool
}

// cancelPage is the form, and the letter once there is one.
type cancelPage struct {
	Contract              contract
	Product, Organization string
	Locale, EndDate       string
	// LatestEnd replaces EndDate if no law is known. Note says in what form the law wants the cancellation.
	LatestEnd, Note        string
	Fields                 []field
	Terms                  []aviso.Terms
	ExtraConsent           bool
	SignatureText, Picture string
	Reference              string
	Problem                string
	Letter                 *aviso.CancellationLetter
}

// Checked is the value of a box that is ticked.
const checked = "true"

// fieldsOf makes the form's fields from a template. A template says what is valid by a regular
// expression, which browsers check as the pattern of an input. One that takes the empty text makes
// the field optional. An input of a type that this app does not know is a text.
func fieldsOf(template []aviso.TemplateField, value func(key string) string) (fields []field) {
	types := map[string]string{"Email": "email", "Phone": "tel", "Date": "date", "Boolean": "checkbox"}
	autocomplete := map[string]string{
		"NAME": "name", "EMAIL": "email", "PHONE_NUMBER": "tel", "ZIP": "postal-code", "CITY": "address-level2",
		"ADDRESS": "street-address", "BIRTH_DATE": "bday",
	}
	for _, t := range template {
		f := field{
			Key: t.FieldKey, Label: t.Label, Pattern: t.Format, Value: value(t.FieldKey), Help: t.Help, Example: t.Example,
			Type: cmp.Or(types[t.Type], "text"), Autocomplete: cmp.Or(autocomplete[t.FieldKey], "off"),
		}
		f.Required = f.Type != "checkbox" && !f.accepts("")
		if f.Type == "checkbox" || f.Type == "date" { // these inputs have no pattern
			f.Pattern = ""
		}
		fields = append(fields, f)
	}
	return fields
}

// accepts reports whether a value has the field's format. An expression that Go does not know is
// left to the browser and to Aviso.
func (f field) accepts(value string) bool {
	if f.Pattern == "" {
		return true
	}
	format, err := regexp.Compile(f.Pattern)
	return err != nil || format.MatchString(value)
}

// prepareCancel reads what the form needs. value gives the value of a field.
func (v *visit) prepareCancel(id string, value func(key string) string) (*cancelPage, error) {
	all, err := v.allContracts()
	if err != nil {
		return nil, err
	}
	page := &cancelPage{}
	for _, c := range all {
		if c.SubscriptionID == id {
			page.Contract = c
		}
	}
	to := page.Contract.Cancellable
	if to.ProductID == "" {
		return nil, aviso.ErrNotFound
	}
	products, err := v.client.Catalogue.ListProducts(v.r.Context(), to.OrganizationID, nil)
	if err != nil {
		return nil, err
	}
	var labels string
	for _, p := range products {
		if p.ProductID == to.ProductID {
			page.Locale, labels = letterLocale(p.Locales), v.labelLocale(p.Locales)
		}
	}
	organization, err := v.client.Catalogue.GetOrganization(v.r.Context(), to.OrganizationID)
	if err != nil {
		return nil, err
	}
	product, err := v.client.Catalogue.GetProduct(v.r.Context(), to.OrganizationID, to.ProductID, &aviso.GetProductParams{Locale: labels})
	if err != nil {
		return nil, err
	}
	deadline, err := v.client.Catalogue.GetDeadline(v.r.Context(), to.OrganizationID, to.ProductID,
		&aviso.GetDeadlineParams{Locale: page.Locale, ContractStart: page.Contract.ContractStart.Date})
	if err != nil {
		return nil, err
	}
	page.EndDate, page.Note = deadline.EarliestFreeEnd, deadline.Form.Reason
	if deadline.Certainty == "Latest" { // the law may allow an earlier end
		page.EndDate, page.LatestEnd = "", deadline.EarliestFreeEnd
	}
	page.Product, page.Organization, page.ExtraConsent = product.Name, organization.Name, organization.ExtraConsent
	page.Fields = fieldsOf(product.Template, value)
	page.Terms, err = v.missingTerms("CancellationProvider")
	return page, err
}

func (v *visit) cancelForm() error {
	page, err := v.prepareCancel(v.r.URL.Query().Get("contract"), func(key string) string { return v.who.Fields[key] })
	if err != nil {
		return err
	}
	if page.Contract.Cancellation != nil {
		return v.goTo("/way/" + page.Contract.Cancellation.CancellationID)
	}
	// The reference makes a form that is sent twice one cancellation.
	page.Reference, page.SignatureText = rand.Text(), v.who.Fields["NAME"]
	return v.show("cancel", page)
}

// maxForm is a form with a drawn signature.
const maxForm = 256 << 10

// submitted reads the form. ok is false if the user has to correct something.
func (v *visit) submitted() (page *cancelPage, request aviso.CreateCancellationRequest, ok bool, err error) {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	value := func(key string) string { return strings.TrimSpace(v.r.PostFormValue("field." + key)) }
	page, err = v.prepareCancel(v.r.PostFormValue("contract"), value)
	if err != nil {
		return page, request, false, err
	}
	page.Reference, page.SignatureText = v.r.PostFormValue("reference"), strings.TrimSpace(v.r.PostFormValue("signature"))
	request = aviso.CreateCancellationRequest{
		OrganizationID: page.Contract.Cancellable.OrganizationID, ProductID: page.Contract.Cancellable.ProductID,
		SubscriptionID: page.Contract.SubscriptionID, Locale: page.Locale, EndDate: page.EndDate,
		ExternalCancellationRequestIdentifier: page.Reference,
		ExtraConsent:                          v.r.PostFormValue("consent") == checked, Parameters: []aviso.CancellationParameter{},
		Signature: aviso.Signature{Type: "TEXT", Data: page.SignatureText},
	}
	if picture, drawn := strings.CutPrefix(v.r.PostFormValue("picture"), "data:image/png;base64,"); drawn {
		page.Picture = v.r.PostFormValue("picture")
		request.Signature = aviso.Signature{Type: "IMAGE", Data: picture}
	}
	ok = request.Signature.Data != "" && (!page.ExtraConsent || request.ExtraConsent)
	for i := range page.Fields {
		f := &page.Fields[i]
		if f.Type == "checkbox" && f.Value != checked {
			f.Value = "false"
		}
		f.Wrong = !f.accepts(f.Value)
		ok = ok && !f.Wrong
		request.Parameters = append(request.Parameters, aviso.CancellationParameter{FieldKey: f.Key, FieldValue: f.Value})
	}
	if len(page.Terms) > 0 {
		if v.r.PostFormValue("terms") != checked {
			return page, request, false, nil
		}
		if err := v.accept(page.Terms); err != nil {
			return page, request, false, err
		}
		page.Terms = nil
	}
	return page, request, ok, nil
}

// review shows the letter as it would leave. Nothing is sent yet.
func (v *visit) review() error {
	page, request, ok, err := v.submitted()
	if err != nil {
		return err
	}
	if ok && v.r.PostFormValue("back") == "" {
		made, err := v.user.Cancellations.Create(v.r.Context(), request, &aviso.CreateCancellationParams{DryRun: true})
		if err == nil {
			page.Letter = &made.Letter
			v.previews.Store(v.user.ID, made.Letter.PDF)
			return v.show("review", page)
		}
		return v.again(page, err)
	}
	if !ok {
		page.Problem = v.T("formProblem")
	}
	return v.show("cancel", page)
}

// again shows the form with what Aviso found wrong.
func (v *visit) again(page *cancelPage, err error) error {
	problem, isProblem := errors.AsType[*aviso.Error](err)
	if !isProblem || problem.Status >= http.StatusInternalServerError {
		return err
	}
	if problem.Code == "already_cancelled" || problem.Code == "external_identifier_reused" {
		if problem.CancellationID != "" {
			return v.goTo("/way/" + problem.CancellationID)
		}
	}
	for i := range page.Fields {
		for _, part := range problem.Errors {
			page.Fields[i].Wrong = page.Fields[i].Wrong || part.FieldKey == page.Fields[i].Key
		}
	}
	page.Problem = v.T("formProblem")
	return v.render(http.StatusUnprocessableEntity, "cancel", page)
}

func (v *visit) preview() error {
	stored, _ := v.previews.Load(v.user.ID)
	pdf, ok := stored.([]byte)
	if !ok {
		return aviso.ErrNotFound
	}
	return v.pdf(pdf)
}

func (v *visit) pdf(content []byte) error {
	v.w.Header().Set("Content-Type", "application/pdf")
	v.w.Header().Del("Content-Security-Policy") // browsers show it in a page of their own
	_, err := bytes.NewReader(content).WriteTo(v.w)
	return err
}

// send cancels.
func (v *visit) send() error {
	page, request, ok, err := v.submitted()
	if err != nil {
		return err
	}
	if !ok {
		page.Problem = v.T("formProblem")
		return v.show("cancel", page)
	}
	made, err := v.user.Cancellations.Create(v.r.Context(), request, nil)
	if err != nil {
		return v.again(page, err)
	}
	v.previews.Delete(v.user.ID)
	return v.goTo("/way/" + made.Cancellation.CancellationID)
}
