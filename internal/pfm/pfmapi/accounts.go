package pfmapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
)

type wireAccount struct {
	AccountID      string         `json:"accountId" format:"uuid" doc:"Stable: neither the bank nor a reconnect nor a new connection to the same bank changes it."`
	AccountName    string         `json:"accountName"`
	AccountNumber  string         `json:"accountNumber" doc:"Domestic or masked number; may be empty."`
	AccountType    string         `json:"accountType" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General"`
	IBAN           string         `json:"iban" doc:"May be empty."`
	ConnectionInfo connectionInfo `json:"connectionInfo"`
	Balance        amount         `json:"balance" doc:"Booked balance in major units; negative if the user owes money."`
	CurrencyCode   string         `json:"currencyCode" doc:"ISO 4217."`
	CreatedAt      time.Time      `json:"createdAt"`
	UpdatedAt      time.Time      `json:"updatedAt"`
}

type connectionInfo struct {
	ConnectionID          string    `json:"connectionId"`
	BankLogoURL           string    `json:"bankLogoUrl"`
	BankName              string    `json:"bankName"`
	LastSuccessAt         time.Time `json:"lastSuccessAt" doc:"0001-01-01T00:00:00Z if unknown."`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt" doc:"0001-01-01T00:00:00Z if unknown."`
	ConsentExpiresAt      time.Time `json:"consentExpiresAt" doc:"When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown."`
	IsActive              bool      `json:"isActive"`
	ConnectionStatus      string    `json:"connectionStatus"`
	IsInteractive         bool      `json:"isInteractive" doc:"Whether a refresh needs the user."`
}

type accountsData struct {
	Accounts []wireAccount `json:"accounts" nullable:"false"`
}

func exampleAccount() wireAccount {
	c := exampleConnection()
	return wireAccount{
		AccountID: "c2f0f5a4-92f5-4a0c-8a39-b2a1d7a1c001", AccountName: "Everyday account", AccountNumber: "0532013000",
		AccountType: "CurrentAccount", IBAN: "DE89370400440532013000",
		Balance: amount{Amount: money.MustParse("1843.27")}, CurrencyCode: "EUR",
		CreatedAt: c.CreatedAt, UpdatedAt: c.LastSuccessAt,
		ConnectionInfo: connectionInfo{
			ConnectionID: c.ConnectionID, BankLogoURL: exampleProvider().Logo, BankName: c.ProviderName,
			LastSuccessAt: c.LastSuccessAt, NextRefreshPossibleAt: c.NextRefreshPossibleAt,
			ConsentExpiresAt: c.ConsentExpiresAt, IsActive: true, ConnectionStatus: "Active",
		},
	}
}

func registerAccounts(r *api.Router, reading *pfm.Reading) {
	api.Register(r, api.Operation{
		ID: "listAccounts", Method: http.MethodGet, Path: prefix + "/accounts",
		Tag: "Accounts", Scope: api.PFM, ForUser: true,
		Summary: "List a user's accounts", Description: "Accounts from all of the user's connections. " +
			"An account that several connections list is here once, with the connection that holds it.",
		Answer: accountsData{Accounts: []wireAccount{exampleAccount()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *api.Page) (*api.Response[accountsData], error) {
		position, err := r.OpenPage(ctx, in.NextToken)
		if err != nil {
			return nil, err
		}
		page, err := reading.Accounts(ctx, api.User(ctx), in.Limit, position)
		if err != nil {
			return nil, err
		}
		data := accountsData{Accounts: api.List(page.Accounts, toAccount)}
		return api.PageOf(data, r.SealPage(ctx, page.Next)), nil
	})
}

func toAccount(v pfm.AccountView) wireAccount {
	a, c := v.Account, v.Connection
	return wireAccount{
		AccountID: a.ID, AccountName: a.Name, AccountNumber: a.Number, AccountType: string(a.Type), IBAN: a.IBAN,
		Balance: amount{Amount: a.Balance}, CurrencyCode: a.Currency, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
		ConnectionInfo: connectionInfo{
			ConnectionID: c.ID, BankLogoURL: c.LogoURL, BankName: c.ProviderName, LastSuccessAt: c.LastSuccessAt,
			NextRefreshPossibleAt: c.NextRefreshPossibleAt(), ConsentExpiresAt: c.ConsentExpiresAt,
			IsActive: c.IsActive(), ConnectionStatus: string(c.Status), IsInteractive: !c.IsActive(),
		},
	}
}
