// Package world is the environment in which functions are measured: the local stack's services
// with its tables, queues, secrets and seed, and with data of a known size.
package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/app"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/stack"
	"aviso/localstack/stack/seed"
	"aviso/localstack/template"
)

// baseURL is the API's address for partners.
const baseURL = "http://localhost:3000"

// World is a local stack whose functions do nothing, so that only the measured ones do.
type World struct {
	Functions []template.Function
	// AWS are the variables that make an AWS SDK use the stack's services.
	AWS map[string]string
	// Dir is for files. Stop removes it.
	Dir string

	dynamoDB  *dynamodb.Client
	variables map[string]map[string]string
	tables    map[string]string // by the variable's name
	stop      context.CancelFunc
	ended     chan error
}

// nothing is the handler of each of the stack's own functions.
type nothing struct{}

func (nothing) Invoke(context.Context, []byte) ([]byte, error) { return []byte("{}"), nil }

// getenv is the environment of the stack: no limit gets in the way.
func getenv(name string) string {
	return map[string]string{"RATE_LIMIT_PER_MINUTE": "1000000000"}[name]
}

// Start starts the stack of the checkout that is the current folder, and seeds its tables.
func Start(ctx context.Context) (*World, error) {
	dir, err := os.MkdirTemp("", "aviso-bench")
	if err != nil {
		return nil, fmt.Errorf("create a folder for the stack: %w", err)
	}
	w := &World{ended: make(chan error, 1), Dir: dir, tables: map[string]string{}}
	functions := map[string]app.Constructor{}
	for name := range app.Functions() {
		functions[name] = func(context.Context, config.Env) (lambda.Handler, error) { return nothing{}, nil }
	}
	ready := make(chan stack.Surroundings, 1)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stop = stop
	go func() {
		w.ended <- stack.Run(running, stack.Options{
			Port: 3000, DataDir: dir, InMemory: true, WorkersOnly: true, Template: "template.yaml",
			Functions: functions, Seed: seed.Local, Getenv: getenv,
			Console: io.Discard, Ready: func(around stack.Surroundings) { ready <- around },
		})
	}()
	select {
	case around := <-ready:
		w.Functions, w.AWS, w.variables = around.Functions, around.AWS, around.Variables
	case err := <-w.ended:
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for _, own := range w.variables {
		maps.Copy(w.tables, own)
	}
	cfg, err := config.LoadAWS(ctx, func(name string) string { return w.AWS[name] })
	if err != nil {
		return nil, errors.Join(err, w.Stop())
	}
	w.dynamoDB = dynamodb.NewFromConfig(cfg)
	return w, nil
}

// Environment returns a function's complete environment.
func (w *World) Environment(f template.Function) map[string]string {
	env := maps.Clone(w.AWS)
	maps.Copy(env, w.variables[f.ID])
	delete(env, "CLOCK_TABLE") // as in production, where nobody's clock can be moved
	return env
}

// Stop stops everything that was started.
func (w *World) Stop() error {
	w.stop()
	return errors.Join(<-w.ended, os.RemoveAll(w.Dir))
}

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
		Create(ctx, Partner, identity.NewUser{ExternalID: name, CountryCode: "DE", LanguageCode: "de"}, nil)
	if err != nil {
		return owner.User{}, fmt.Errorf("create user %s: %w", name, err)
	}
	agreements := identity.NewAgreements(people, time.Now)
	terms, err := agreements.Published(ctx)
	if err != nil {
		return owner.User{}, err
	}
	for _, t := range terms {
		if _, err := agreements.Accept(ctx, made.Owner, t.Type, t.Version, nil); err != nil {
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
	c := connection.Connection{
		ID: ID("connection/"+name, 0), Owner: user, ProviderID: ID("provider", 0), ProviderName: "Nordlicht Bank",
		LogoURL: baseURL + "/sandbox/banks/nordlicht/logo.svg", Status: connection.Active,
		CreatedAt: now, UpdatedAt: now, LastSuccessAt: now,
		ConsentID: "consent", ConsentExpiresAt: now.AddDate(0, 3, 0),
		ReturnURL: "https://partner.example/back", RefreshTimeoutMinutes: 60,
	}
	if err := store.CreateConnection(ctx, c, nil); err != nil {
		return err
	}
	lease := connection.Lease{Token: "bench", Until: now.Add(time.Hour)}
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
	rows := make([]transaction.RowChange, 0, transactions)
	for i := range transactions {
		rows = append(rows, transaction.RowChange{New: purchase(c, name, i, transactions, now)})
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
func purchase(c connection.Connection, name string, i, of int, now time.Time) transaction.Transaction {
	category, _ := pfm.CategoryOf(pfm.FoodGroceries)
	day := now.AddDate(0, 0, -min(days, of)+i*min(days, of)/of).Format(time.DateOnly)
	merchant := i * i % merchants
	return transaction.Transaction{
		ID: ID("transaction/"+name, i), Owner: c.Owner, ConnectionID: c.ID,
		AccountID: ID("account/"+name, i%accounts), AccountName: fmt.Sprintf("Everyday account %d", i%accounts),
		RecordDate: pfm.Date(day), Currency: "EUR",
		Amount:      money.MustParse(fmt.Sprintf("-%d.%02d", 1+i%97, i%100)),
		Note:        "KARTENZAHLUNG GRUENKORB SAGT DANKE//BERLIN/DE 2026-02-27T18:31:07 KFN 0 VJ 2712",
		PaymentType: transaction.PaidDebitCard,
		State:       transaction.Cleared, Frequency: transaction.Once, Category: category,
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
	documents := make([]catalogue.SearchDocument, 0, 2*n)
	for i := range n {
		id, name := ID("organization", i), fmt.Sprintf("Stadtwerke Neustadt %05d", i)
		o := catalogue.SearchDocument{
			Kind: catalogue.SearchOrganization, ID: id, OrganizationID: id, CategoryID: ID("category", i%40),
			Name: name, OrganizationName: name, URL: fmt.Sprintf("https://www.organization-%d.example/", i),
			Locales: []cancellation.Locale{"de-DE"},
		}
		product := o
		product.Kind, product.ID, product.Name = catalogue.SearchProduct, ID("product", i), "Strom Komfort"
		documents = append(documents, o, product)
	}
	if err := fulltext.NewStore(w.dynamoDB, table, time.Now).PutSnapshot(ctx, version, documents); err != nil {
		return err
	}
	return dynamo.NewTable(w.dynamoDB, table).Put(ctx,
		dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, dynamo.Item{"version": dynamo.S(version)})
}
