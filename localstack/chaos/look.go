package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"

	aviso "aviso.example/client"

	"aviso/localstack/stack/statefile"
)

// look reads back what there is. If it is late, it advances the clocks of users whose letters wait.
func (r *run) look(ctx context.Context, late bool) (err error) {
	seen := &r.record // only its Callbacks still grow
	seen.Lists, seen.Cancellations, seen.Sums, seen.Attempts = map[string][]string{}, nil, nil, nil
	for _, p := range r.partners {
		if err := p.look(ctx, seen, late); err != nil {
			return err
		}
	}
	seen.Letters, err = r.letters(ctx)
	return err
}

// look reads what the partner can see.
func (p *partnerSide) look(ctx context.Context, seen *record, late bool) error {
	subscriptions, err := p.client.Webhooks.ListSubscriptions(ctx)
	if err != nil {
		return err
	}
	for _, s := range subscriptions {
		seen.list("subscriptions of "+p.name, s.SubscriptionID)
	}
	for _, id := range p.steady {
		for a, err := range p.client.Webhooks.ListDeliveryAttempts(ctx, id, nil) {
			if err != nil {
				return err
			}
			a.Payload = nil // it would fill the record
			seen.Attempts = append(seen.Attempts, attempt{id, a})
			if a.EventType == "webhook.ping" {
				seen.list("pings to "+id, a.EventID)
			}
		}
	}
	for _, u := range seen.Users {
		if u.Partner != p.name {
			continue
		}
		if i := slices.IndexFunc(seen.Erasures, func(e erasure) bool { return e.user == u }); i >= 0 {
			err = p.lookForErased(ctx, &seen.Erasures[i])
		} else {
			err = p.lookAt(ctx, seen, u, late)
		}
		if err != nil {
			return fmt.Errorf("user %s: %w", u.ID, err)
		}
	}
	return nil
}

// lookAt reads what there is of a user.
func (p *partnerSide) lookAt(ctx context.Context, seen *record, u user, late bool) error {
	view := p.client.User(u.ID)
	for c, err := range view.Cancellations.List(ctx, nil) {
		if err != nil {
			return err
		}
		seen.list("cancellations of "+u.ID, c.CancellationID)
		seen.Cancellations = append(seen.Cancellations, cancellation{u, p.steady, c})
		if late && waits(c) {
			// Without success it goes on waiting, which is found.
			_, _ = view.Sandbox.AdvanceClock(ctx, aviso.AdvanceClockRequest{AdvanceBy: "PT1H"})
		}
	}
	for c, err := range view.Connections.List(ctx, nil) {
		if err != nil {
			return err
		}
		seen.list("connections of "+u.ID, c.ConnectionID)
	}
	ask := &aviso.ListCategoryInsightsParams{TransactionType: "Expense", CategoryLevel: "L1"}
	list, err := view.Insights.ListCategories(ctx, ask)
	if err != nil {
		return err
	}
	insights := map[string]string{}
	for _, i := range list.Data.Insights {
		insights[fmt.Sprint(i.Category.ID, i.CurrencyCode)] = i.Amount.StringFixed(2)
	}
	listed, err := expenses(ctx, view)
	seen.Sums = append(seen.Sums, sum{User: u.ID, Listed: listed, Insight: fmt.Sprint(insights)})
	return err
}

func (r *record) list(collection, id string) {
	if !slices.Contains(r.Lists[collection], id) {
		r.Lists[collection] = append(r.Lists[collection], id)
	}
}

// expenses adds up a user's expenses by category and currency.
func expenses(ctx context.Context, u *aviso.UserView) (string, error) {
	amounts, sums := map[string]aviso.Amount{}, map[string]string{}
	for t, err := range u.Transactions.List(ctx, &aviso.ListTransactionsParams{Limit: 200}) {
		if err != nil {
			return "", err
		}
		if t.RecordType == "Expense" && t.RecordState != "Void" {
			key := fmt.Sprint(t.Category.CategoryID, t.CurrencyCode)
			amounts[key] = amounts[key].Add(t.Amount)
			sums[key] = amounts[key].StringFixed(2)
		}
	}
	return fmt.Sprint(sums), nil
}

// lookForErased reads the receipt, unless it was lost.
func (p *partnerSide) lookForErased(ctx context.Context, e *erasure) error {
	_, err := p.client.Users.Get(ctx, e.user.ID)
	e.Gone, e.Completed = errors.Is(err, aviso.ErrNotFound), e.ID == ""
	if !e.Gone || e.Completed {
		return nil
	}
	receipt, err := p.client.Users.GetErasure(ctx, e.ID)
	if err == nil {
		e.Completed = receipt.Status == "Completed"
	}
	return err
}

// letters returns what the sandbox's post office and fax gateway and the mail server have.
func (r *run) letters(ctx context.Context) ([]letter, error) {
	if err := r.mails(); err != nil {
		return nil, err
	}
	all := slices.Collect(maps.Values(r.mailed))
	for next := "/sandbox/letters"; next != ""; {
		address := fmt.Sprintf("http://127.0.0.1:%d%s", r.stack.port, next)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Accept", "application/json")
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		var page struct {
			Letters []letter
			Next    string
		}
		err = json.NewDecoder(answer.Body).Decode(&page)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			return nil, fmt.Errorf("letters: %w", err)
		}
		next = page.Next
		for _, l := range page.Letters {
			if l.How != "Email" { // these are copies, which a kill may lose
				all = append(all, l)
			}
		}
	}
	return all, nil
}

// mails reads the files of the mail server, which keeps the last few hundred.
func (r *run) mails() error {
	paths, err := filepath.Glob(filepath.Join(r.stack.folder, "data", "mail", "*.json"))
	for _, path := range paths {
		var mail struct {
			Request struct {
				EmailTags []struct{ Name, Value string }
			}
		}
		err = errors.Join(err, statefile.Read(path, &mail))
		for _, tag := range mail.Request.EmailTags {
			if tag.Name == "cancellationId" {
				r.mailed[path] = letter{How: "Email", CancellationID: tag.Value}
			}
		}
	}
	return err
}
