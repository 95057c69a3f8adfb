package main

import (
	"encoding/json"
	"time"
)

// envelope is what every answer of the service comes in; tokens do not.
type envelope[T any] struct {
	Data T `json:"data"`
	Meta struct {
		Pagination struct {
			NextToken string `json:"nextToken"`
		} `json:"pagination"`
	} `json:"meta"`
}

type token struct {
	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in"`
	Scope       string `json:"scope"`
}

type userData struct {
	User struct {
		UserID string `json:"userId"`
	} `json:"user"`
}

type terms struct {
	TermsType string `json:"termsType"`
	Version   string `json:"version"`
}

func (t terms) String() string { return t.TermsType + " " + t.Version }

type termsData struct {
	Terms []terms `json:"terms"`
}

type countriesData struct {
	Countries []struct {
		CountryCode   string `json:"countryCode"`
		ProviderCount int    `json:"providerCount"`
	} `json:"countries"`
}

type provider struct {
	ID               string `json:"id"`
	Name             string `json:"name"`
	CountryCode      string `json:"countryCode"`
	Status           string `json:"status"`
	MaxFetchInterval int    `json:"maxFetchInterval"`
}

type providersData struct {
	Providers []provider `json:"providers"`
}

type link struct {
	RedirectURL  string    `json:"redirectUrl"`
	ExpiresAt    time.Time `json:"expiresAt"`
	ConnectionID string    `json:"connectionId"`
}

type connectionData struct {
	Connection struct {
		ConnectionStatus string    `json:"connectionStatus"`
		StatusReason     string    `json:"statusReason"`
		LastSuccessAt    time.Time `json:"lastSuccessAt"`
		ConsentExpiresAt time.Time `json:"consentExpiresAt"`
	} `json:"connection"`
}

type account struct {
	AccountID      string      `json:"accountId"`
	AccountName    string      `json:"accountName"`
	AccountNumber  string      `json:"accountNumber"`
	AccountType    string      `json:"accountType"`
	IBAN           string      `json:"iban"`
	Balance        json.Number `json:"balance"`
	CurrencyCode   string      `json:"currencyCode"`
	ConnectionInfo struct {
		ConnectionID string `json:"connectionId"`
	} `json:"connectionInfo"`
}

type accountsData struct {
	Accounts []account `json:"accounts"`
}

type transaction struct {
	ID           string      `json:"id"`
	RecordDate   time.Time   `json:"recordDate"`
	Amount       json.Number `json:"amount"`
	CurrencyCode string      `json:"currencyCode"`
	Note         string      `json:"note"`
	RecordState  string      `json:"recordState"`
	Category     struct {
		SubcategoryName string `json:"subcategoryName"`
	} `json:"category"`
	Merchant struct {
		Name string `json:"name"`
	} `json:"merchant"`
	Account struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"account"`
}

type transactionsData struct {
	Transactions []transaction `json:"transactions"`
}

type insight struct {
	Category struct {
		Name string `json:"name"`
	} `json:"category"`
	Amount               json.Number `json:"amount"`
	CurrencyCode         string      `json:"currencyCode"`
	NumberOfTransactions int         `json:"numberOfTransactions"`
}

type insightsData struct {
	Insights []insight `json:"insights"`
}
