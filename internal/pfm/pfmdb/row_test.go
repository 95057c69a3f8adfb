package pfmdb

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// full requires every field to have a value, so that the test also covers fields that
// are added later.
func full(t *testing.T, v any, but ...string) {
	t.Helper()
	value := reflect.ValueOf(v)
	for i := range value.NumField() {
		if name := value.Type().Field(i).Name; !slices.Contains(but, name) {
			require.Falsef(t, value.Field(i).IsZero(), "%T has no %s", v, name)
		}
	}
}

// at returns a different time for each n.
func at(minute int) time.Time { return time.Date(2026, 3, 2, 9, minute, 7, 123e6, time.UTC) }

// stored returns a row as it is read from the table.
func stored(t require.TestingT, key dynamo.Key, row any) dynamo.Item {
	item, err := dynamo.Encode(row)
	require.NoError(t, err)
	item["pk"], item["sk"] = dynamo.S(key.PK), dynamo.S(key.SK)
	return item
}

func TestRowsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	user := owner.User{Partner: "acme", ID: "u"}

	t.Run("accounts", func(t *testing.T) {
		want := pfm.Account{
			ID: "a", Owner: user, ConnectionID: "c", Name: "Everyday", Number: "12",
			IBAN: "DE00", Type: pfm.AccountCurrent, Currency: "EUR",
			Balance: money.MustParse("-12.50"), CreatedAt: at(1), UpdatedAt: at(2), HeldSince: at(3),
			ResourceID: "r", ConsentID: "s", SignsInverted: true, IdentificationHash: "h",
			MissingFrom:  "2026-02-01",
			LimitedUntil: at(4),
		}
		full(t, want)
		for _, want := range []pfm.Account{want, {}} {
			got, err := toAccount(stored(t, accountKey(want.Owner, want.ConnectionID, want.ID), toAccountRow(want)))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	})

	t.Run("consents", func(t *testing.T) {
		want := connection.ConsentRecord{
			ID: "k", ProviderID: "p", ProviderName: "Bank", Status: connection.ConsentActive, AnsweredAt: at(1), AuthorisedAt: at(2),
			EndedAt: at(3), ValidUntil: at(4), AccountIDs: []string{"a"}, KeptUntil: at(5),
			ConsentText: connection.ConsentText{Text: "May we?", Language: "en", Version: 1},
		}
		full(t, want)
		row := stored(t, consentKey(user.Partner, "c", want.ID), consentRow{want, want.KeptUntil.Unix()})
		got, err := dynamo.Decode[connection.ConsentRecord](row)
		require.NoError(t, err)
		want.KeptUntil = time.Time{} // for the table only
		assert.Equal(t, want, got)
	})

	t.Run("connections", func(t *testing.T) {
		want := connection.Connection{
			ID:           "c",
			Owner:        user,
			ProviderID:   "p",
			ProviderName: "Bank",
			LogoURL:      "https://l",
			Status:       connection.Active,
			Reason:       "r",
			CreatedAt:    at(1),
			UpdatedAt:    at(2),
			ReturnURL:    "https://r",
			HistoryDays:  90,
			LinkHash:     "l",
			Authorisation: &connection.Authorisation{
				ExpiresAt: at(3), ConsentID: "s", Secret: "x", StateHash: "h", AskedStateHash: "i", TriedAt: at(9), Tries: 2,
				Consented: "k1",
				Next: pfm.Step{
					Kind: pfm.StepRedirect, URL: "https://b", Once: true, Message: "m", AsksPSUID: true, AsksIBANs: true,
					Refused: true, OtherMustSign: true,
				},
			},
			ConsentID:        "s2",
			Secret:           "x2",
			ConsentExpiresAt: at(4),
			AuthorisedAt:     at(8),
			Consented:        "k2",
			ConsentSeen:      true,
			Access:           pfm.Access{CardAccounts: true, NoBalances: true, NoRows: true},
			LastNotice:       7,
			DataExpiresAt:    at(14),
			DataNoticed:      true,
			SyncRequestedAt:  at(5),
			LastSuccessAt:    at(6),
			SyncEndedAt:      at(7),
			HeldAt:           at(10),
			SyncFailing:      true,
			TestRows:         connection.TestRows{From: "2026-03-01", At: at(8)},
			Partial:          connection.Partial{Rows: 3, Accounts: 1, From: "2026-02-01", Until: at(11)},
			Refusal: &connection.Refusal{
				At: at(12), Operation: "read accounts", Status: 503, Code: "SERVICE_BLOCKED", Message: "Closed", RequestID: "r",
			},
			Unattended:            []time.Time{at(12), at(13)},
			SignsUsed:             true,
			RefreshTimeoutMinutes: 60,
			AutomaticFetch:        true,
			Version:               9,
		}
		full(t, want, "Events", "Consents")  // they go into the outbox, and into rows of their own
		full(t, *want.Authorisation, "Link") // only its digest is stored
		full(t, want.Authorisation.Next)
		full(t, want.Partial)
		full(t, want.Access)
		for _, want := range []connection.Connection{
			want, {Authorisation: &connection.Authorisation{}}, {},
			{Authorisation: &connection.Authorisation{Next: pfm.Step{Kind: pfm.StepWait}}},
		} {
			s := &Store{due: dynamo.DueIndex{Shards: dueShards}}
			got, err := toConnection(stored(t, connectionKey(want.Owner, want.ID), s.toConnectionRow(want)))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	})

	t.Run("transactions", func(t *testing.T) {
		category, _ := pfm.CategoryOf(pfm.FoodGroceries)
		want := transaction.Transaction{
			ID: "t", Owner: user, AccountID: "a", AccountName: "Everyday", ConnectionID: "c", RecordDate: "2026-03-02",
			Amount: money.MustParse("-23.90"), Currency: "EUR", Note: "note", PaymentType: transaction.PaidDebitCard,
			State: transaction.Cleared, Frequency: transaction.Once, Subscription: true, Category: category,
			Source: pfm.SourceOverride, RuleID: "rule", Merchant: pfm.Merchant{ID: "m", Name: "Grünkorb"},
			Found: transaction.Found{Subcategory: 521, Source: pfm.SourceMerchant, RuleID: "found"}, Payee: "DE67",
			CreatedAt: at(1), UpdatedAt: at(2), BankID: "b", EntryReference: "e", BalanceAfter: "100.5", Missing: 1,
			AlsoPending: true, Content: "d", Counterparty: "cp", PartyName: "p",
			Debit: true, BankTransactionCode: "PMNT", PurposeCode: "GDDS",
			MerchantCategoryCode: "5411", MandateID: "M-1", CreditorID: "DE98", Revision: 4, Added: 17, Changed: 21,
		}
		full(t, want, "DayGuessed") // it matters until the row is compared with ours
		for _, want := range []transaction.Transaction{want, {ID: "t", Owner: user, RecordDate: "2026-03-02"}} {
			key := rowKey(user, want.RecordDate, want.ID)
			got, err := toTransaction(user, stored(t, key, toTransactionRow(want)))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	})

	t.Run("aggregates", func(t *testing.T) {
		want := transaction.Aggregate{
			ID:      transaction.AggregateID{Level: transaction.LevelDay, Month: "2026-03", AccountID: "a", Merchants: true},
			Names:   map[string]string{"m": "Grünkorb"},
			Version: 3,
			Tallies: map[transaction.TallyKey]transaction.Tally{
				{Day: 2, Subcategory: 521, Currency: "EUR", Type: "Expense"}: {Amount: money.MustParse("23.90"), Count: 2},
				{Day: 3, MerchantID: "m", Currency: "CHF", Type: "Income"}:   {Amount: money.MustParse("-1"), Count: 1},
			},
		}
		full(t, want)
		got, err := toAggregate(stored(t, aggregateKey(user, want.ID), toAggregateRow(want)))
		require.NoError(t, err)
		want.Version++ // each write is a new version
		assert.Equal(t, want, got)
	})

	t.Run("groups", func(t *testing.T) {
		want := &group{id: contract.GroupID{AccountID: "a", Key: "k"}, version: 3, record: contract.Record{
			Group: contract.Group{
				Held: []contract.Entry{{
					Row:    contract.Row{ID: uuid.NewString(), Date: "2026-03-02", Amount: money.MustParse("-9.90"), Merchant: true},
					Label:  contract.Label{Frequency: contract.Monthly, Subscription: true},
					Before: 2, Since: "2025-01-02", Contract: 1,
				}},
				First: "2025-01-02", Contracts: []string{"c"},
			},
			MerchantID: "m", Name: "Grünkorb", Currency: "EUR",
			Due: map[string]contract.Due{"t": {Date: "2026-03-02"}}, Told: []contract.ToldRise{{Contract: "c"}},
		}}
		full(t, want.record)
		row, err := toGroupRow(want)
		require.NoError(t, err)
		want.version++
		got, err := toGroup(stored(t, groupKey(user, want.id), row))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	})
}

func TestProviderRowsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	// This draws every field, so that the test also covers fields that are added later.
	providers := rapid.Make[pfm.Provider]()
	rapid.Check(t, func(t *rapid.T) {
		want := providers.Draw(t, "provider")
		delete(want.Meta, "") // attributevalue rejects it
		if len(want.Meta) == 0 {
			want.Meta = nil
		}
		if len(want.SupportedAccountTypes) == 0 {
			want.SupportedAccountTypes = nil
		}
		for _, texts := range []*[]string{&want.Profile.Balances, &want.Profile.Texts, &want.Profile.Headers} {
			if len(*texts) == 0 {
				*texts = nil
			}
		}
		switch aspsp := &want.Endpoint.ASPSP; {
		case aspsp.Name == "": // no aggregator reads the bank
			*aspsp = pfm.ASPSP{}
		case len(aspsp.PSUHeaders) == 0:
			aspsp.PSUHeaders = nil
		}
		row := toProviderRow(want)
		row.Version = rapid.Int64().Draw(t, "version")
		row.Key = providerKey(want.ID)
		decoded, err := dynamo.Decode[providerRow](stored(t, row.Key, row))
		require.NoError(t, err)
		require.Equal(t, row.Version, decoded.Version)
		got, err := decoded.provider()
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestMalformedRowsAreErrors(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"2|521||EUR", "2|521||EUR|Expense|more", "x|521||EUR|Expense", "2|x||EUR|Expense", ""} {
		_, _, err := toTally(name, "1.00 1")
		require.Error(t, err, name)
	}
	for _, value := range []string{"1.00", "1.00 x", "x 1", ""} {
		_, _, err := toTally("2|521||EUR|Expense", value)
		require.Error(t, err, value)
	}
	key := dynamo.Item{"sk": dynamo.S("T#2026-03-02#t")}
	for name, wrong := range map[string]dynamo.Item{
		"no key":                         {},
		"a row instead of a string":      {"sk": key["sk"], "an": &types.AttributeValueMemberM{}},
		"a string that is not an amount": {"sk": key["sk"], "v": dynamo.S("many")},
		"a string instead of a number":   {"sk": key["sk"], "r": dynamo.S("1")},
	} {
		_, err := toTransaction(owner.User{}, wrong)
		require.Error(t, err, name)
	}
}
