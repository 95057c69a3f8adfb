package budget

import (
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

func (v *visit) way() error {
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
	return v.show("way", page)
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
