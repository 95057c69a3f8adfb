package world

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation/fulltext/fulltexttest"
	"aviso/internal/cancellation/snapshotdb"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
)

// Partner is the seeded partner that makes the requests.
const Partner owner.PartnerID = "sandbox"

const (
	// accounts and merchants are how many a user's transactions are spread over, and days
	// is how far they go back. Larger numbers would create more sums.
	accounts  = 3
	merchants = 150
	days      = 3 * 365
)

// ID returns the n-th ID of a series, which is the same in every run.
func ID(series string, n int) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "https://aviso.example/bench/%s/%d", series, n)).String()
}

// User creates a user who has accepted all terms and has a connection with this many
// transactions.
func (w *World) User(ctx context.Context, name string, transactions int) (owner.User, error) {
	people := identitydb.New(w.dynamoDB, w.tables["IDENTITY_TABLE"])
	made, _, err := identity.NewUsers(people, time.Now, func() string { return ID("user/"+name, 0) }).
		Create(ctx, Partner, identity.NewUser{ExternalID: name, CountryCode: "DE", LanguageCode: "de"})
	if err != nil {
		return owner.User{}, fmt.Errorf("create user %s: %w", name, err)
	}
	agreements := identity.NewAgreements(people, time.Now)
	terms, err := agreements.Published(ctx)
	if err != nil {
		return owner.User{}, err
	}
	for _, t := range terms {
		if _, err := agreements.Accept(ctx, made.Owner, t.Type, t.Version); err != nil {
			return owner.User{}, fmt.Errorf("accept terms: %w", err)
		}
	}
	if err := w.connect(ctx, made.Owner, name, transactions); err != nil {
		return owner.User{}, fmt.Errorf("connect user %s: %w", name, err)
	}
	return made.Owner, nil
}

func (w *World) pfm() *pfmdb.Store {
	return pfmdb.New(w.dynamoDB, w.tables["PFM_TABLE"], w.tables["OUTBOX_TABLE"], time.Now, uuid.NewString)
}

// connect writes what bank-sync would write, through the same store.
func (w *World) connect(ctx context.Context, user owner.User, name string, transactions int) error {
	store, now := w.pfm(), time.Now().UTC().Truncate(time.Millisecond)
	c := pfm.Connection{
		ID: ID("connection/"+name, 0), Owner: user, ProviderID: ID("provider", 0), ProviderName: "Nordlicht Bank",
		LogoURL: baseURL + "/sandbox/banks/nordlicht/logo.svg", Status: pfm.ConnectionActive,
		CreatedAt: now, UpdatedAt: now, LastSuccessAt: now,
		ConsentID: "consent", ConsentExpiresAt: now.AddDate(0, 3, 0),
		ReturnURL: "https://partner.example/back", RefreshTimeoutMinutes: 60,
	}
	if err := store.CreateConnection(ctx, c); err != nil {
		return err
	}
	lease := pfm.Lease{Token: "bench", Until: now.Add(time.Hour)}
	if _, err := store.AcquireSync(ctx, user, c.ID, lease, now); err != nil {
		return err
	}
	var list []pfm.Account
	for i := range accounts {
		list = append(list, pfm.Account{
			ID: ID("account/"+name, i), Owner: user, ConnectionID: c.ID,
			Name: fmt.Sprintf("Everyday account %d", i), Number: "1306118605", IBAN: "DE67100100101306118605",
			Type: pfm.AccountCurrent, Currency: "EUR", Balance: money.MustParse("1204.17"),
			CreatedAt: now, UpdatedAt: now, ResourceID: fmt.Sprintf("account-%d", i), ConsentID: c.ConsentID,
		})
	}
	if err := store.SaveAccounts(ctx, lease, list); err != nil {
		return err
	}
	rows := make([]pfm.RowChange, 0, transactions)
	for i := range transactions {
		rows = append(rows, pfm.RowChange{New: purchase(c, name, i, transactions, now)})
	}
	if err := store.SaveRows(ctx, lease, user, c.ID, rows); err != nil {
		return err
	}
	for _, a := range list {
		if err := store.SaveLabels(ctx, lease, user, c.ID, a.ID); err != nil {
			return err
		}
	}
	return nil
}

// purchase returns a card payment with everything that banks report. Consecutive ones are on
// the same day or later, in the order in which a sync writes them.
func purchase(c pfm.Connection, name string, i, of int, now time.Time) pfm.Transaction {
	category, _ := pfm.CategoryOf(pfm.FoodGroceries)
	day := now.AddDate(0, 0, -min(days, of)+i*min(days, of)/of).Format(time.DateOnly)
	merchant := i * i % merchants
	return pfm.Transaction{
		ID: ID("transaction/"+name, i), Owner: c.Owner, ConnectionID: c.ID,
		AccountID: ID("account/"+name, i%accounts), AccountName: fmt.Sprintf("Everyday account %d", i%accounts),
		RecordDate: pfm.Date(day), Currency: "EUR",
		Amount:      money.MustParse(fmt.Sprintf("-%d.%02d", 1+i%97, i%100)),
		Note:        "KARTENZAHLUNG GRUENKORB SAGT DANKE//BERLIN/DE 2026-02-27T18:31:07 KFN 0 VJ 2712",
		PaymentType: pfm.PaidDebitCard,
		State:       pfm.Cleared, Frequency: pfm.Once, Category: category,
		Source: pfm.SourceMerchant, RuleID: "merchant:gruenkorb",
		Merchant:  pfm.Merchant{ID: ID("merchant", merchant), Name: fmt.Sprintf("Grünkorb %03d", merchant)},
		Payee:     "DE67100100101306118605",
		CreatedAt: now, UpdatedAt: now,
		BankID: fmt.Sprintf("20260227%014d", i), Content: "9391e978650b1a40c61b8d37d4043d0b",
		Counterparty:        fmt.Sprintf("Grünkorb Lebensmittel %03d GmbH", merchant),
		BankTransactionCode: "PMNT-CCRD-POSD", PurposeCode: "GDDS",
		MerchantCategoryCode: "5411", MandateID: "M-2024-000123", CreditorID: "DE98ZZZ09999999999",
	}
}

// Providers adds n banks to the sandbox's, all in one country.
func (w *World) Providers(ctx context.Context, n int) error {
	store, automatic := w.pfm(), true
	for i := range n {
		err := store.PutProvider(ctx, pfm.Provider{
			ID: ID("provider", i), CountryCode: "DE", Name: fmt.Sprintf("Volksbank Musterstadt %06d", i),
			LogoURL: baseURL + "/sandbox/banks/nordlicht/logo.svg", Status: pfm.ProviderActive,
			SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving}, Timezone: "Europe/Berlin",
			RefreshTimeoutMinutes: 60, MaxConsentDays: 180, Regulated: true,
			MaxFetchInterval: 730, AutomaticFetch: &automatic,
			Meta:     map[string]string{"group": "Volksbanken"},
			Endpoint: pfm.BankEndpoint{BaseURL: baseURL + "/sandbox/banks/nordlicht"},
		})
		if err != nil {
			return fmt.Errorf("create a provider: %w", err)
		}
	}
	return nil
}

// LargeCatalogue puts a catalogue of n organizations and about as many products in force, of which
// there is only the search's index: the importer would take many minutes to write the organizations.
func (w *World) LargeCatalogue(ctx context.Context, n int) error {
	table, version := w.tables["CANCELLATION_TABLE"], ID("catalogue", n)
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(1), n)
	if err := snapshotdb.New(w.dynamoDB, table, time.Now).PutSnapshot(ctx, version, documents); err != nil {
		return err
	}
	return dynamo.NewTable(w.dynamoDB, table).Put(ctx,
		dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, dynamo.Item{"version": dynamo.S(version)})
}
