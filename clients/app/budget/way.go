package budget

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	aviso "aviso.example/client"
)

// step is a step of the letter's way.
type step struct {
	Status, At    string
	Done, Now     bool
	Bad           bool
	Text, Channel string
}

type wayPage struct {
	*aviso.Cancellation
	Organization   string
	Steps          []step
	Contract       *contract
	Saving         *aviso.Saving
	Currency       string
	CanWithdraw    bool
	CanConfirm     bool
	Debits         []aviso.DebitAfterEnd
	WithdrawFailed bool
	// CanObject is set if a debit is neither paid back nor objected to. Missing are the fields of the letter that
	// the app does not know of the person.
	CanObject  bool
	Missing    []field
	Objections []aviso.Objection
	Problem    string
}

// stepsOf is what has happened to a cancellation, and what is still to come.
func stepsOf(c *aviso.Cancellation) (steps []step) {
	plan := []string{"Created", "Queued", "Sent", "Delivered", "Confirmed"} // if all goes well
	for i, h := range c.History {
		bad := slices.Contains([]string{"DeliveryFailed", "Rejected", "Withdrawn"}, h.Status)
		status := h.Status
		if next := i + 1; h.Status == "Sent" && next < len(c.History) && c.History[next].Status == "Queued" {
			status, bad = "Returned", true // it bounced, so that the next channel is tried
		}
		steps = append(steps, step{Status: status, At: h.At.Format("2006-01-02"), Done: true, Now: i == len(c.History)-1, Bad: bad})
	}
	last := slices.Index(plan, c.Status)
	if last < 0 {
		return steps // it went another way
	}
	for _, status := range plan[last+1:] {
		steps = append(steps, step{Status: status})
	}
	return steps
}

func (v *visit) way() error { return v.wayWith("") }

// wayWith shows the page with what is wrong with an objection.
func (v *visit) wayWith(problem string) error {
	c, err := v.user.Cancellations.Get(v.r.Context(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	organization, err := v.client.Catalogue.GetOrganization(v.r.Context(), c.OrganizationID)
	if err != nil {
		return err
	}
	page := wayPage{Cancellation: c, Organization: organization.Name, Steps: stepsOf(c), Currency: "EUR", Debits: c.DebitsAfterEnd}
	page.CanWithdraw = c.Status == "Created" || c.Status == "Queued"
	page.CanConfirm = v.Sandbox && (c.Status == "Sent" || c.Status == "Delivered")
	page.WithdrawFailed = v.r.URL.Query().Get("late") != ""
	all, err := v.allContracts()
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].SubscriptionID == c.SubscriptionID {
			page.Contract, page.Currency = &all[i], all[i].CurrencyCode
		}
	}
	saved, err := v.user.Insights.ListSavings(v.r.Context())
	if err != nil {
		return err
	}
	for _, s := range saved {
		for i := range s.Contracts {
			if s.Contracts[i].CancellationID == c.CancellationID {
				page.Saving, page.Currency = &s.Contracts[i], s.CurrencyCode
			}
		}
	}
	page.Problem = problem
	if err := v.prepareObjection(&page); err != nil {
		return err
	}
	return v.show("way", page)
}

// objectionFields are the fields of a letter about a cancellation, with what is known of the person.
func (v *visit) objectionFields(c *aviso.Cancellation, value func(key string) string) ([]field, error) {
	product, err := v.client.Catalogue.GetProduct(v.r.Context(), c.OrganizationID, c.ProductID, nil)
	if err != nil {
		return nil, err
	}
	return fieldsOf(product.Template, func(key string) string { return cmp.Or(value(key), v.who.Fields[key]) }), nil
}

func (v *visit) prepareObjection(page *wayPage) (err error) {
	if len(page.Debits) == 0 {
		return nil
	}
	if page.Objections, err = v.user.Cancellations.ListObjections(v.r.Context(), page.CancellationID); err != nil {
		return err
	}
	objected := map[string]bool{}
	for _, o := range page.Objections {
		for _, d := range o.Debits {
			objected[d.TransactionID] = objected[d.TransactionID] || o.Status != "DeliveryFailed"
		}
	}
	for _, d := range page.Debits {
		page.CanObject = page.CanObject || d.RefundTransactionID == "" && !objected[d.TransactionID]
	}
	if !page.CanObject {
		return nil
	}
	all, err := v.objectionFields(page.Cancellation, func(string) string { return "" })
	for _, f := range all {
		if f.Required && f.Value == "" {
			page.Missing = append(page.Missing, f)
		}
	}
	return err
}

// object sends a letter that asks for the money back.
func (v *visit) object() error {
	id := v.r.PathValue("id")
	c, err := v.user.Cancellations.Get(v.r.Context(), id)
	if err != nil {
		return err
	}
	fields, err := v.objectionFields(c, func(key string) string { return strings.TrimSpace(v.r.PostFormValue("field." + key)) })
	if err != nil {
		return err
	}
	request := aviso.SendObjectionRequest{Signature: aviso.Signature{Type: "TEXT", Data: v.who.Fields["NAME"]}}
	for _, f := range fields {
		if f.Type == "checkbox" {
			f.Value = "false"
		}
		request.Parameters = append(request.Parameters, aviso.CancellationParameter{FieldKey: f.Key, FieldValue: f.Value})
	}
	_, err = v.user.Cancellations.SendObjection(v.r.Context(), id, request, nil)
	switch problem, isProblem := errors.AsType[*aviso.Error](err); {
	case isProblem && problem.Code == "template_mismatch":
		return v.wayWith(v.T("formProblem"))
	case err != nil && !errors.Is(err, aviso.ErrConflict): // it was sent already
		return err
	}
	return v.goTo("/way/" + url.PathEscape(id))
}

// letter is the letter as it was sent.
func (v *visit) letter() error {
	pdf, err := v.user.Cancellations.GetLetter(v.r.Context(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	return v.pdf(pdf)
}

func (v *visit) withdraw() error {
	id := v.r.PathValue("id")
	_, err := v.user.Cancellations.Withdraw(v.r.Context(), id)
	if errors.Is(err, aviso.ErrConflict) { // it has left in the meantime
		return v.goTo("/way/" + url.PathEscape(id) + "?late=1")
	} else if err != nil {
		return err
	}
	return v.goTo("/way/" + url.PathEscape(id))
}

// confirm answers for the company, on a page that only the sandbox has.
func (v *visit) confirm() error {
	id := v.r.PathValue("id")
	if !v.Sandbox {
		return aviso.ErrNotFound
	}
	if _, err := v.user.Cancellations.Get(v.r.Context(), id); err != nil { // only the user's own
		return err
	}
	form := url.Values{"cancellation": {id}, "answer": {"Confirmed"}}
	request, err := http.NewRequestWithContext(v.r.Context(), http.MethodPost, v.base+"/sandbox/replies", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	if answer.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("confirm %s: %s", id, answer.Status)
	}
	return v.goTo("/way/" + url.PathEscape(id)) // 409 is somebody else's answer
}

// local returns the path of a page of the app, so that a form cannot lead elsewhere.
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "\\?#") || strings.HasPrefix(path, "//") {
		return "/spending"
	}
	return path
}

// passMonth lets a month pass for the user, as a test does. All that is due happens.
func (v *visit) passMonth() error {
	to := local(v.r.PostFormValue("to"))
	_, err := v.user.Sandbox.AdvanceClock(v.r.Context(), aviso.AdvanceClockRequest{AdvanceBy: "P1M"})
	if err != nil && !errors.Is(err, aviso.ErrConflict) { // it passes already
		return err
	}
	return v.goTo("/passing?to=" + url.QueryEscape(to))
}

func (v *visit) passing() error {
	to := local(v.r.URL.Query().Get("to"))
	clock, err := v.user.Sandbox.GetClock(v.r.Context())
	if err != nil {
		return err
	}
	if clock.Status == "Ready" {
		return v.goTo(to)
	}
	return v.show("passing", map[string]any{"Now": clock.Now, "Until": clock.AdvancedTo})
}
