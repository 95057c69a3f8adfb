package pfmapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm/connection"
)

type wireAccount struct {
	_ struct{} `doc:"An account of a user at a connected bank, as we last read it."`

	AccountID      string         `json:"accountId" format:"uuid" doc:"Stable: neither the bank nor a reconnect nor a new connection to the same bank changes it."`
	AccountName    string         `json:"accountName" doc:"The bank's name for the account."`
	AccountNumber  string         `json:"accountNumber" doc:"Domestic or masked number; may be empty."`
	AccountType    string         `json:"accountType" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General" doc:"What kind of account the bank says it is."`
	IBAN           string         `json:"iban" doc:"IBAN without spaces; empty if the account has none or the bank does not tell."`
	ConnectionInfo connectionInfo `json:"connectionInfo"`
	Balance        money.Amount   `json:"balance" doc:"Booked balance in major units; negative if the user owes money."`
	CurrencyCode   string         `json:"currencyCode" doc:"Currency of the account and its balance (ISO 4217)."`
	CreatedAt      time.Time      `json:"createdAt" doc:"When we read the account for the first time."`
	UpdatedAt      time.Time      `json:"updatedAt" doc:"When something about the account, such as its balance, last changed."`
}

type connectionInfo struct {
	_ struct{} `doc:"The connection that an account is read through."`

	ConnectionID          string    `json:"connectionId" format:"uuid" doc:"The connection that holds the account."`
	BankLogoURL           string    `json:"bankLogoUrl" format:"uri" doc:"Address of the bank's logo, an image."`
	BankName              string    `json:"bankName" doc:"The bank's name."`
	LastSuccessAt         time.Time `json:"lastSuccessAt" doc:"When we last read all of the connection's accounts; 0001-01-01T00:00:00Z before the first time."`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt" doc:"The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown."`
	ConsentExpiresAt      time.Time `json:"consentExpiresAt" doc:"When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown."`
	IsActive              bool      `json:"isActive" doc:"Whether connectionStatus is Active, so that we can read the account."`
	ConnectionStatus      string    `json:"connectionStatus" enum:"Pending,Active,ActionRequired,Failed,Expired,Revoked" doc:"Status of the connection. If it is not Active, the account keeps what was read last."`
	IsInteractive         bool      `json:"isInteractive" doc:"Whether we can read the account only after the user has authorised again."`
}

type accountsData struct {
	Accounts []wireAccount `json:"accounts" nullable:"false" doc:"One page of the user's accounts."`
}

func exampleAccount() wireAccount {
	c := exampleConnection()
	return wireAccount{
		AccountID: "c2f0f5a4-92f5-4a0c-8a39-b2a1d7a1c001", AccountName: "Everyday account", AccountNumber: "0532013000",
		AccountType: "CurrentAccount", IBAN: "DE89370400440532013000",
		Balance: money.MustParse("1843.27"), CurrencyCode: "EUR",
		CreatedAt: c.CreatedAt, UpdatedAt: c.LastSuccessAt,
		ConnectionInfo: connectionInfo{
			ConnectionID: c.ConnectionID, BankLogoURL: exampleProvider().Logo, BankName: c.ProviderName,
			LastSuccessAt: c.LastSuccessAt, NextRefreshPossibleAt: c.NextRefreshPossibleAt,
			ConsentExpiresAt: c.ConsentExpiresAt, IsActive: true, ConnectionStatus: "Active",
		},
	}
}

func registerAccounts(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "listAccounts", Method: http.MethodGet, Path: prefix + "/accounts",
		Tag: "Accounts", Scope: api.PFM, ForUser: true,
		Summary: "List a user's accounts", Description: "Accounts from all of the user's connections. " +
			"An account that several connections share is in the list once, with the connection that holds it.",
		Answer: accountsData{Accounts: []wireAccount{exampleAccount()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *api.Page) (*api.Response[accountsData], error) {
		return api.Paged(ctx, r, in.NextToken, func(position string) (accountsData, string, error) {
			page, err := connections.Accounts(ctx, api.User(ctx), in.Limit, position)
			return accountsData{api.List(page.Items, toAccount)}, page.Next, err
		})
	})
}

func toAccount(v connection.AccountView) wireAccount {
	a, c := v.Account, v.Connection
	return wireAccount{
		AccountID: a.ID, AccountName: a.Name, AccountNumber: a.Number, AccountType: string(a.Type), IBAN: a.IBAN,
		Balance: a.Balance, CurrencyCode: a.Currency, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
		ConnectionInfo: connectionInfo{
			ConnectionID: c.ID, BankLogoURL: c.LogoURL, BankName: c.ProviderName, LastSuccessAt: c.LastSuccessAt,
			NextRefreshPossibleAt: c.NextRefreshPossibleAt(), ConsentExpiresAt: c.ConsentExpiresAt,
			IsActive: c.IsActive(), ConnectionStatus: string(c.Status), IsInteractive: !c.IsActive(),
		},
	}
}
