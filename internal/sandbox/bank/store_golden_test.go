package bank_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// These records make the golden items, each with all members and with only its key; see
// testenv.Golden.

func goldenConsents() []bank.Consent {
	account := []bank.Reference{
		{IBAN: "DE89370400440532013000", MaskedPAN: "1234xxxx5678", Currency: "EUR"},
	}
	return []bank.Consent{
		{
			Bank: "b", ID: "full", State: bank.Valid, ValidUntil: persona.DayOf(noon),
			LastAction:      persona.DayOf(noon) - 1,
			Access:          bank.Access{Accounts: account, Balances: account, Transactions: account, AllPSD2: "allAccounts"},
			FrequencyPerDay: 4, AuthoriseBy: noon.Add(time.Hour), Authorisations: []string{"a1", "a2"}, Persona: "anna",
			Grants:    []bank.Grant{{Account: "giro", Balances: true, Transactions: true}},
			Overrides: bank.Overrides{SCADue: true, Trouble: "slow", TroubleEnds: noon.Add(time.Minute)},
			Ledger: bank.Ledger{
				Issue:   2,
				Changes: []bank.Change{{Account: "giro", Kind: "book", Day: persona.DayOf(noon), Row: 1 << 63}},
			},
		},
		{Bank: "b", ID: "bare", ValidUntil: persona.DayOf(noon)},
	}
}

func goldenAuthorisations() []bank.Authorisation {
	return []bank.Authorisation{
		{
			Bank: "b", ID: "full", ConsentID: "full", Status: bank.SCAFinalised, RedirectURI: "https://ok.example",
			NokRedirectURI: "https://nok.example",
			Persona:        "anna", CustomerNumber: "anna/", ExpiresAt: noon,
		},
		{Bank: "b", ID: "bare", ExpiresAt: noon},
	}
}

func goldenCustomers() []bank.Customer {
	return []bank.Customer{
		{Bank: "b", ID: "full", ConsentID: "full", Forget: noon.Add(time.Hour)},
		{Bank: "b", ID: "bare", Forget: noon.Add(time.Hour)},
	}
}

func goldenApprovals() []bank.Approval {
	return []bank.Approval{
		{
			ID: "full", Bank: "b", ConsentID: "full", Persona: "anna", CustomerNumber: "anna/",
			ConnectionID: "connection", At: noon,
		},
		{ID: "bare", At: noon},
	}
}

func countGolden(t *testing.T, store *sandboxdb.Store) int {
	t.Helper()
	key := bank.Consent{Bank: "b", ID: "full"}.CallKey("2026-11-20", "balances", "giro")
	n, err := store.Count(t.Context(), key, noon.Add(48*time.Hour))
	require.NoError(t, err)
	return n
}

func TestGoldenItemsAreWritten(t *testing.T) {
	table := testenv.Table(t, "SandboxTable")
	store := sandboxdb.New(testenv.DynamoDB(t), table, func() time.Time { return noon })
	for i, consent := range goldenConsents() {
		authorisation, customer, approval := goldenAuthorisations()[i], goldenCustomers()[i], goldenApprovals()[i]
		require.NoError(t, store.Save(t.Context(), consent, authorisation, customer, approval))
	}
	for range 2 {
		countGolden(t, store)
	}
	testenv.Golden(t, map[string]string{"SandboxTable": table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	store := sandboxdb.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "SandboxTable"), func() time.Time { return noon })
	for _, want := range goldenConsents() {
		want.Version = 1
		got, err := sandboxdb.Get(t.Context(), store, bank.Consent{Bank: want.Bank, ID: want.ID})
		require.NoError(t, err)
		assert.Equal(t, want, got)
		require.NoError(t, store.Save(t.Context(), got), "replaces the version that was read")
	}
	for _, want := range goldenAuthorisations() {
		want.Version = 1
		got, err := sandboxdb.Get(t.Context(), store, bank.Authorisation{Bank: want.Bank, ID: want.ID})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range goldenCustomers() {
		want.Version = 1
		got, err := sandboxdb.Get(t.Context(), store, bank.Customer{Bank: want.Bank, ID: want.ID})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	approvals := goldenApprovals()
	for i := range approvals {
		approvals[i].Version = 1
		got, err := sandboxdb.Get(t.Context(), store, bank.Approval{ID: approvals[i].ID})
		require.NoError(t, err)
		assert.Equal(t, approvals[i], got)
	}
	listed, err := sandboxdb.List[bank.Approval](t.Context(), store, bank.Approval{}.Key().PK, "", 10, nil)
	require.NoError(t, err)
	assert.Equal(t, approvals, listed)
	assert.Equal(t, 3, countGolden(t, store))
}
