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
	AccountID      string         `json:"accountId" format:"uuid"`
	AccountName    string         `json:"accountName"`
	AccountNumber  string         `json:"accountNumber"`
	AccountType    string         `json:"accountType" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General"`
	IBAN           string         `json:"iban"`
	ConnectionInfo connectionInfo `json:"connectionInfo"`
	Balance        money.Amount   `json:"balance"`
	CurrencyCode   string         `json:"currencyCode"`
	CreatedAt      time.Time      `json:"createdAt"`
	UpdatedAt      time.Time      `json:"updatedAt"`
}

type connectionInfo struct {
	ConnectionID          string    `json:"connectionId" format:"uuid"`
	BankLogoURL           string    `json:"bankLogoUrl" format:"uri"`
	BankName              string    `json:"bankName"`
	LastSuccessAt         time.Time `json:"lastSuccessAt"`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt"`
	ConsentExpiresAt      time.Time `json:"consentExpiresAt"`
	IsActive              bool      `json:"isActive"`
	ConnectionStatus      string    `json:"connectionStatus" enum:"Pending,Active,ActionRequired,Failed,Expired,Revoked"`
	IsInteractive         bool      `json:"isInteractive"`
}

type accountsData struct {
	Accounts []wireAccount `json:"accounts" nullable:"false"`
}

func registerAccounts(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "listAccounts", Method: http.MethodGet, Path: prefix + "/accounts",
		Tag: "Accounts", Scope: api.PFM, ForUser: true,
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
