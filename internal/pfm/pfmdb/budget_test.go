package pfmdb_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// The cost of a partner's read: calls, to which the authorization adds one, and read
// units, by DynamoDB's rules (localstack/stack/memdb).
func TestReadsStayWithinTheirBudget(t *testing.T) {
	m := &testenv.Spent{}
	s := newTables(t, m.Install)
	coded := pfmtest.Provider()
	coded.Meta = map[string]string{"bankCode": "21050000"}
	s.put(coded)
	for i := range 60 {
		s.put(bank(i, "DE", "Volksbank Raiffeisenbank Musterstadt"))
	}
	c := s.connect(1)
	l := s.lease(c, "l")
	var rows []transaction.Transaction
	var accounts []pfm.Account
	for i := range 300 {
		rows = append(rows, purchase(c, i, pfm.Date("2026-01-01").AddDays(i/5)))
	}
	for i := range 5 {
		accounts = append(accounts, account(c, i))
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	require.NoError(t, s.SaveAccounts(t.Context(), l, accounts))

	_, _, err := s.Providers(t.Context(), pfm.ProviderFilter{CountryCode: "DE", NamePart: "volks"}, 50, "")
	require.NoError(t, err)

	for _, tt := range []struct {
		name  string
		calls int64
		units float64
		read  func(context.Context) (int, error)
		given int
	}{
		{"a page of 100 transactions", 1, 10, func(ctx context.Context) (int, error) {
			page, _, err := s.Transactions(ctx, c.Owner, transaction.Filter{}, 100, "")
			return len(page), err
		}, 100},
		{"a page of 200 transactions", 1, 20, func(ctx context.Context) (int, error) {
			page, _, err := s.Transactions(ctx, c.Owner, transaction.Filter{}, 200, "")
			return len(page), err
		}, 200},
		{"a user's accounts", 1, 1, func(ctx context.Context) (int, error) {
			page, _, err := s.AccountViews(ctx, c.Owner, 50, "")
			return len(page), err
		}, 5},
		{"a connection", 1, 1, func(ctx context.Context) (int, error) {
			_, err := s.Connection(ctx, c.Owner, c.ID)
			return 1, err
		}, 1},
		{"a provider", 1, 0.5, func(ctx context.Context) (int, error) {
			_, err := s.Provider(ctx, pfmtest.Provider().ID)
			return 1, err
		}, 1},
		{"a page of 50 providers", 1, 5, func(ctx context.Context) (int, error) {
			page, _, err := s.Providers(ctx, pfm.ProviderFilter{CountryCode: "DE"}, 50, "")
			return len(page), err
		}, 50},
		{"a search for providers, whose list is known", 1, 1, func(ctx context.Context) (int, error) {
			page, _, err := s.Providers(ctx, pfm.ProviderFilter{CountryCode: "DE", NamePart: "volks"}, 50, "")
			return len(page), err
		}, 50},
		{"a search for a bank code, whose list is known", 1, 1, func(ctx context.Context) (int, error) {
			page, _, err := s.Providers(ctx, pfm.ProviderFilter{CountryCode: "DE", BankCode: "21050000"}, 50, "")
			return len(page), err
		}, 1},
		{"the countries", 1, 0.5, func(ctx context.Context) (int, error) {
			list, err := s.Countries(ctx)
			return len(list), err
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, calls := observe.CountCalls(t.Context())
			m.Reset()
			given, err := tt.read(ctx)
			require.NoError(t, err)
			assert.Equal(t, tt.given, given)
			assert.Equal(t, tt.calls, calls.Count())
			assert.LessOrEqual(t, m.Units(), tt.units)
			t.Logf("%.1f read units", m.Units())
		})
	}
}

// A choice writes the row with its place in five indexes (9 units), the number (2), of each level
// the sums by category (6), and the group, here a contract with 24 payments (3).
func TestAChoiceStaysWithinItsBudget(t *testing.T) {
	m := &testenv.Spent{}
	s, c, l := syncing(t, m.Install)
	var rows []transaction.Transaction
	for month := range 24 {
		for i := range 10 { // other merchants, with which sums by merchant are not small
			row := purchase(c, 10*month+i, pfm.Date("2024-01-05").AddDays(30*month))
			row.Merchant = pfm.Merchant{ID: pfmtest.ID(5000 + i), Name: "A merchant with a usual name"}
			rows = append(rows, row)
		}
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	require.NoError(t, s.SaveLabels(t.Context(), l, c.Owner, c.ID, rows[0].AccountID))
	telecom, _ := pfm.CategoryOf(pfm.HousingTelecom)
	m.Reset()
	ctx, calls := observe.CountCalls(t.Context())
	_, err := s.OverrideCategory(ctx, c.Owner, rows[100].ID, telecom, false, s.clock.Now())
	require.NoError(t, err)
	assert.EqualValues(t, 4, calls.Count())
	assert.LessOrEqual(t, m.Units(), 26.5)
	t.Logf("%.1f units", m.Units())
}

// sizeOf returns an item's size by DynamoDB's published rules: names and strings in
// UTF-8, about half a byte per digit plus one byte for numbers, one byte for booleans.
func sizeOf(t *testing.T, item map[string]types.AttributeValue) int {
	t.Helper()
	size := 0
	for name, v := range item {
		size += len(name)
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			size += len(v.Value)
		case *types.AttributeValueMemberN:
			size += (len(v.Value)+1)/2 + 1
		case *types.AttributeValueMemberBOOL:
			size++
		default:
			t.Fatalf("attribute %s is a %T", name, v)
		}
	}
	return size
}

// A page of 100 reads 101 rows. At half a read unit per 4 KB, ten units are 80 KB.
// With a tenth in reserve, that allows 730 bytes per row.
func TestTransactionRowIsSlim(t *testing.T) {
	s, c := connected(t)
	row := purchase(c, 1, "2026-02-27")
	row.EntryReference, row.BalanceAfter = "2026022700004711", "1843.2"
	require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(row)))
	out, err := s.db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: new("pk = :pk AND begins_with(sk, :t)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pk": &types.AttributeValueMemberS{Value: c.Owner.Key()}, ":t": &types.AttributeValueMemberS{Value: "T#"},
		},
	})
	require.NoError(t, err)
	require.Len(t, out.Items, 1)
	size := sizeOf(t, out.Items[0])
	t.Logf("%d bytes", size)
	assert.LessOrEqual(t, size, 730)
}

// Insights read sums, not rows, so their cost does not grow with the number of
// transactions (design: at most 10 RRU for 10,000).
func TestInsightsStayWithinTheirBudget(t *testing.T) {
	m := &testenv.Spent{}
	s, c, l := syncing(t, m.Install)
	const days = 3 * 365
	var rows []transaction.RowChange
	for i := range 10_000 {
		r := purchase(c, i, pfm.Date("2024-01-01").AddDays(i*days/10_000))
		r.AccountID = pfmtest.ID(1001 + i%3)
		r.Merchant = pfm.Merchant{ID: pfmtest.ID(5000 + i*i%150), Name: "A merchant with a usual name"}
		rows = append(rows, transaction.RowChange{New: r})
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, rows))
	m.Reset()
	ctx, calls := observe.CountCalls(t.Context())
	list, err := s.Aggregates(ctx, c.Owner, transaction.LevelAllTime, "", "")
	require.NoError(t, err)
	assert.Len(t, list, 6, "by category and by merchant, for each account")
	assert.Equal(t, int64(1), calls.Count())
	assert.LessOrEqual(t, m.Units(), 2.0)
	t.Logf("all time over 10,000 transactions: %.1f RRU", m.Units())
}
