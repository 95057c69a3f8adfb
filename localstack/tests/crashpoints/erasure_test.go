package crashpoints

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/stretchr/testify/assert"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
)

// erasureScenarios are the ways of an erasure, from the partner's call to the receipt.
func erasureScenarios() []scenario {
	return []scenario{
		{
			name: "a user with bank data and stored answers", prepare: withBankData, begin: (*world).eraseUser, done: erased,
			check: erasedWhole(map[string]int{
				"users": 1, "termsAcceptances": 2, "connections": 1, "accounts": 2, "transactions": 4, "storedAnswers": 2,
				"cancellations": 0, "evidence": 0, "letters": 0, "withdrawals": 0, "notifications": 0,
			}),
		},
		{
			name: "a user with a letter that its carrier keeps", prepare: withSentLetter, begin: (*world).eraseUser, done: erased,
			check: erasedWhole(map[string]int{
				"users": 1, "termsAcceptances": 0, "connections": 0, "accounts": 0, "transactions": 0, "storedAnswers": 0,
				"cancellations": 1, "evidence": 1, "letters": 1, "withdrawals": 0, "notifications": 0,
			}),
		},
	}
}

// createUser makes the user, who accepts these terms.
// createUser creates the user, unless it exists.
func (w *world) createUser(accepted ...identity.TermsType) {
	if _, err := w.people.User(context.Background(), user()); err == nil {
		return
	}
	must(w.people.CreateUser(context.Background(), identity.User{
		Owner: user(), ExternalID: "customer-1", CountryCode: "DE", LanguageCode: "de", CreatedAt: w.now,
	}, nil))
	agreements := identity.NewAgreements(w.people, w.clock)
	for _, terms := range accepted {
		must(agreements.Publish(context.Background(), identity.Terms{Type: terms, Version: "1", URL: "https://aviso.example"}))
		_, err := agreements.Accept(context.Background(), user(), terms, "1", nil)
		must(err)
	}
}

func withBankData(w *world) {
	w.createUser(identity.TermsOperator, identity.TermsBankingSupplier)
	connected(w)
	bankHas(firstRows())(w)
	must(w.settle(syncEnded))
	for i := range 2 {
		must(w.answers.Keep(context.Background(), user(), fmt.Sprint(i), idempotency.Answer{Request: "r"}, w.now))
	}
}

func withSentLetter(w *world) {
	w.createUser()
	w.createLetter(cancellation.ChannelMail)
	must(w.settle(lettersLeft))
}

// eraseUser is the partner's call. It repeats it until it is answered: with the receipt, or
// with the answer that there is no such user.
func (w *world) eraseUser() {
	w.add(w.now, func() time.Duration {
		return w.request(func(ctx context.Context) error {
			_, err := w.users.Erase(ctx, user())
			if apierror.Is(err, apierror.UserNotFound) {
				return nil
			}
			return err
		})
	})
}

// receipts returns all erasures of the partner.
func (w *world) receipts() []identity.ErasureReceipt {
	var all []identity.ErasureReceipt
	for _, row := range w.rows("IdentityTable") {
		if _, isReceipt := row["counts"]; !isReceipt {
			continue
		}
		e, err := w.people.Erasure(context.Background(), user().Partner, dynamo.Text(row, "id"))
		must(err)
		all = append(all, e)
	}
	return all
}

func erased(w *world) bool {
	for _, e := range w.receipts() {
		if e.Status == identity.ErasureCompleted {
			return len(w.rows("OutboxTable")) == 0
		}
	}
	return false
}

// erasedWhole: there is one receipt, with these counts; partners were told once; no row of
// any table names the user; and no letter has left.
func erasedWhole(want map[string]int) func(*problems, *world, int) {
	return func(a *problems, w *world, _ int) {
		receipts := w.receipts()
		assert.Len(a, receipts, 1, "receipts")
		assert.Equal(a, want, receipts[0].Counts)
		told := 0
		for _, e := range w.told {
			if e.Type == identity.EventUserErased {
				told++
			}
		}
		assert.Equal(a, 1, told, "events")
		assert.Empty(a, w.traces(string(user().ID)))
		assert.Empty(a, w.letters(), "letters")
	}
}

// traces returns the keys of all rows that contain a text.
func (w *world) traces(text string) []string {
	var found []string
	for id := range w.tables {
		for _, item := range w.rows(id) {
			var plain map[string]any
			must(attributevalue.UnmarshalMap(item, &plain))
			if strings.Contains(fmt.Sprint(plain), text) {
				found = append(found, fmt.Sprint(id, " ", plain["pk"], " ", plain["sk"]))
			}
		}
	}
	return found
}
