package pfmdb_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// tables is a store with its clock and its tables.
type tables struct {
	*pfmdb.Store
	t             *testing.T
	clock         *pfmtest.Clock
	db            *dynamodb.Client
	table, outbox string
}

// newTables returns a store whose calls config counts, like those of the service.
func newTables(t *testing.T, options ...func(*dynamodb.Options)) *tables {
	t.Helper()
	counted := func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, config.CountCalls) }
	s := &tables{
		t: t, clock: pfmtest.NewClock(), table: testenv.Table(t, "PfmTable"), outbox: testenv.Table(t, "OutboxTable"),
		db: dynamodb.New(testenv.DynamoDB(t).Options(), append(options, counted)...),
	}
	s.Store = pfmdb.New(s.db, s.table, s.outbox, s.clock.Now, pfmtest.IDs())
	return s
}

// connection returns a connection of the test's user.
func (s *tables) connection(id int, change ...func(*connection.Connection)) connection.Connection {
	c := connection.Connection{
		ID: pfmtest.ID(id), Owner: pfmtest.User(), ProviderID: pfmtest.Provider().ID, ProviderName: "Nordlicht Bank",
		LogoURL: pfmtest.Provider().LogoURL, Status: connection.Active, CreatedAt: s.clock.Now(),
		UpdatedAt: s.clock.Now(), ReturnURL: "https://partner.example/back", RefreshTimeoutMinutes: 60,
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

// connect writes a connection.
func (s *tables) connect(id int, change ...func(*connection.Connection)) connection.Connection {
	s.t.Helper()
	c := s.connection(id, change...)
	require.NoError(s.t, s.CreateConnection(s.t.Context(), c, nil))
	return c
}

// connected returns a store with a connection.
func connected(t *testing.T, options ...func(*dynamodb.Options)) (*tables, connection.Connection) {
	t.Helper()
	s := newTables(t, options...)
	c := s.connect(1)
	return s, c
}

// syncing returns a store with a connection and its lease.
func syncing(t *testing.T, options ...func(*dynamodb.Options)) (*tables, connection.Connection, connection.Lease) {
	t.Helper()
	s, c := connected(t, options...)
	l := s.lease(c, "l")
	return s, c, l
}

// read returns the connection as it is stored.
func (s *tables) read(c connection.Connection) connection.Connection {
	s.t.Helper()
	c, err := s.Connection(s.t.Context(), c.Owner, c.ID)
	require.NoError(s.t, err)
	return c
}

// ofAccount returns an account's rows since a day.
func (s *tables) ofAccount(id string, since pfm.Date) []transaction.Transaction {
	s.t.Helper()
	rows, err := s.AccountTransactions(s.t.Context(), pfmtest.User(), id, since)
	require.NoError(s.t, err)
	return rows
}

// lease acquires the lease of a connection.
func (s *tables) lease(c connection.Connection, token string) connection.Lease {
	s.t.Helper()
	l := connection.Lease{Token: token, Until: s.clock.Now().Add(180e9)}
	_, err := s.AcquireSync(s.t.Context(), c.Owner, c.ID, l, s.clock.Now())
	require.NoError(s.t, err)
	return l
}

// count returns how many rows of the user have keys with this prefix.
func (s *tables) count(prefix string) int {
	s.t.Helper()
	n, err := dynamo.NewTable(s.db, s.table).Count(s.t.Context(), dynamo.Query{
		Partition: pfmtest.User().Key(), Sort: dynamo.Prefix(prefix),
	})
	require.NoError(s.t, err)
	return n
}
