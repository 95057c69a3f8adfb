package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"

	"aviso/localstack/chaos/history"
	"aviso/localstack/template"
)

// looking is how many users are looked at at once.
const looking = 4

// glance looks at what partners can see of their events and erasures, for the judge.
func (r *run) glance(ctx context.Context) error {
	h := r.book.Read()
	var attempts []history.Attempt
	for _, s := range h.Subscriptions {
		list, err := r.clientOf(s.Partner).pages(ctx, "", subscriptionsPath+"/"+s.ID+"/attempts?limit=200", "attempts")
		if err != nil {
			return err
		}
		for _, a := range list {
			attempts = append(attempts, history.Attempt{
				Partner: s.Partner, Subscription: s.ID, Event: a.Get("eventId").String(), Type: a.Get("eventType").String(),
				Number: int(a.Get("attemptNumber").Int()), Outcome: a.Get("outcome").String(),
				StartedAt: a.Get("startedAt").Time(), NextAt: a.Get("nextAttemptAt").Time(),
			})
		}
	}
	erasures := slices.Clone(h.Erasures)
	for i, e := range erasures {
		if e.Complete {
			continue
		}
		receipt, err := r.clientOf(e.Partner).read(ctx, "", "/identity/v1/erasures/"+e.ID)
		if err != nil {
			return err
		}
		erasures[i].Complete = receipt.body.Get("data.erasure.status").String() == "Completed"
	}
	history.Replace(r.book, func(h *history.History) *[]history.Attempt { return &h.Attempts }, attempts)
	history.Replace(r.book, func(h *history.History) *[]history.Erasure { return &h.Erasures }, erasures)
	return nil
}

// look looks at what users can see, and into the tables. After the first time it looks
// only at the users of what the judge still waits for.
func (r *run) look(ctx context.Context, found []history.Finding) error {
	h := r.book.Read()
	skip := map[string]bool{}
	for _, s := range h.Sums {
		skip[s.User] = true
	}
	for _, f := range found {
		delete(skip, f.User)
	}
	cancellations := lists[history.Cancellation]{all: slices.DeleteFunc(slices.Clone(h.Cancellations),
		func(c history.Cancellation) bool { return !skip[c.User] })}
	sums := lists[history.Sum]{all: slices.DeleteFunc(slices.Clone(h.Sums), func(s history.Sum) bool { return !skip[s.User] })}
	leaks := lists[history.Stray]{all: h.Leaks}
	for _, e := range h.Erasures {
		skip[e.User] = true
	}
	group, looks := errgroup.WithContext(ctx)
	group.SetLimit(looking)
	for _, u := range h.Users {
		if skip[u.ID] {
			continue
		}
		group.Go(func() error {
			c := r.clientOf(u.Partner)
			found, err := r.cancellationsOf(looks, c, u.ID)
			if err != nil {
				return err
			}
			cancellations.add(found...)
			sum, err := sumOf(looks, c, u.ID)
			if err != nil {
				return err
			}
			sums.add(sum)
			leaked, err := r.leaksOf(looks, u)
			leaks.add(leaked...)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	strays, err := r.strays(ctx, h)
	if err != nil {
		return err
	}
	history.Replace(r.book, func(h *history.History) *[]history.Cancellation { return &h.Cancellations }, cancellations.all)
	history.Replace(r.book, func(h *history.History) *[]history.Sum { return &h.Sums }, sums.all)
	history.Replace(r.book, func(h *history.History) *[]history.Stray { return &h.Leaks }, leaks.all)
	history.Replace(r.book, func(h *history.History) *[]history.Stray { return &h.Strays }, strays)
	return nil
}

func (r *run) clientOf(partner string) *client {
	return r.clients[slices.IndexFunc(r.clients, func(c *client) bool { return c.partner == partner })]
}

func (r *run) cancellationsOf(ctx context.Context, c *client, user string) ([]history.Cancellation, error) {
	list, err := c.pages(ctx, user, cancellationsPath+"?limit=200", "cancellations")
	if err != nil {
		return nil, fmt.Errorf("user %s: %w", user, err)
	}
	var all []history.Cancellation
	for _, one := range list {
		all = append(all, history.Cancellation{
			Partner: c.partner, User: user, ID: one.Get("cancellationId").String(), Product: one.Get("productId").String(),
			Status: one.Get("status").String(), Reason: one.Get("statusReason").String(),
		})
	}
	return all, nil
}

// sumOf compares the expenses by category with the transactions. A sync may come in
// between, so it looks again until the list stays as it is.
func sumOf(ctx context.Context, c *client, user string) (history.Sum, error) {
	var s history.Sum
	for range 5 {
		before, err := expenses(ctx, c, user)
		if err != nil {
			return s, err
		}
		insight, err := c.read(ctx, user, "/openbanking/v1/insights/categories?transactionType=Expense&categoryLevel=L1")
		if err != nil {
			return s, err
		}
		after, err := expenses(ctx, c, user)
		if err != nil {
			return s, err
		}
		s = history.Sum{User: user, Of: "expenses by category", Listed: after, Insight: insights(insight.body)}
		if before == after {
			break
		}
	}
	return s, nil
}

type total struct {
	amount *big.Rat
	n      int64
}

type totals map[string]total

func (t totals) add(name, amount string, n int64) {
	value, ok := new(big.Rat).SetString(amount)
	if !ok {
		value = new(big.Rat)
		name += " (no number: " + amount + ")"
	}
	sum := t[name]
	if sum.amount == nil {
		sum.amount = new(big.Rat)
	}
	sum.amount.Add(sum.amount, value)
	sum.n += n
	t[name] = sum
}

func (t totals) String() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		lines = append(lines, fmt.Sprintf("%s %s (%d)", name, t[name].amount.FloatString(2), t[name].n))
	}
	return strings.Join(lines, ", ")
}

func expenses(ctx context.Context, c *client, user string) (string, error) {
	list, err := c.pages(ctx, user, "/openbanking/v1/transactions?limit=200", "transactions")
	if err != nil {
		return "", err
	}
	sums := totals{}
	for _, t := range list {
		if t.Get("recordType").String() == "Expense" && t.Get("recordState").String() != "Void" {
			sums.add(t.Get("category.categoryId").String()+" "+t.Get("currencyCode").String(), t.Get("amount").Raw, 1)
		}
	}
	return sums.String(), nil
}

func insights(body gjson.Result) string {
	sums := totals{}
	for _, i := range body.Get("data.insights").Array() {
		sums.add(i.Get("category.id").String()+" "+i.Get("currencyCode").String(), i.Get("amount").Raw,
			i.Get("numberOfTransactions").Int())
	}
	return sums.String()
}

// leaksOf looks whether other partners can see the user.
func (r *run) leaksOf(ctx context.Context, u history.User) ([]history.Stray, error) {
	var leaks []history.Stray
	for _, other := range r.clients {
		if other.partner == u.Partner {
			continue
		}
		seen, err := other.read(ctx, "", "/identity/v1/users/"+u.ID)
		if err != nil {
			return nil, err
		}
		if seen.status != http.StatusNotFound {
			leaks = append(leaks, history.Stray{What: u.ID, Where: "an answer to " + other.partner})
		}
	}
	return leaks, nil
}

// strays searches every row of every table for users whose erasure is complete, or whose
// receipt was lost with its answer: these may need more time.
func (r *run) strays(ctx context.Context, h history.History) ([]history.Stray, error) {
	passing := map[string]bool{}
	for _, e := range h.Erasures {
		if e.Complete && e.Ended != history.Never {
			passing[e.User] = e.ID == ""
		}
	}
	db := dynamodb.NewFromConfig(aws.Config{
		Region: template.Region, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: aws.String(r.dynamo.at()),
	})
	tables, err := db.ListTables(ctx, &dynamodb.ListTablesInput{})
	if err != nil {
		return nil, err
	}
	var found []history.Stray
	for _, table := range tables.TableNames {
		pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{TableName: &table})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			for _, row := range page.Items {
				text, err := json.Marshal(row)
				if err != nil {
					return nil, err
				}
				for _, id := range uuids.FindAllString(string(text), -1) {
					if mayPass, erased := passing[id]; erased {
						key := gjson.ParseBytes(text)
						found = append(found, history.Stray{
							What: id, Passing: mayPass,
							Where: fmt.Sprintf("%s, row %s %s", table, key.Get("pk.Value"), key.Get("sk.Value")),
						})
						break
					}
				}
			}
		}
	}
	return found, nil
}
