package pfmapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/pfm/connection"
)

type connectionLink struct {
	_ struct{} `doc:"A link that takes the user to the bank."`

	RedirectURL  string    `json:"redirectUrl" format:"uri" doc:"Send the user here to authorise the connection, and nobody else: the address contains a secret, and whoever opens it can authorise."`
	ExpiresAt    time.Time `json:"expiresAt" doc:"When the link expires. The user must finish before that."`
	ConnectionID string    `json:"connectionId" format:"uuid" doc:"The connection that the link is for."`
}

type wireConnection struct {
	_ struct{} `doc:"A user's connection to a bank: the consent to read accounts there."`

	ConnectionID          string    `json:"connectionId" format:"uuid" doc:"Identifies the connection. A reconnect does not change it."`
	ProviderID            string    `json:"providerId" format:"uuid" doc:"The bank."`
	ProviderName          string    `json:"providerName" doc:"The bank's name."`
	ConnectionStatus      string    `json:"connectionStatus" enum:"Pending,Active,ActionRequired,Failed,Expired,Revoked" doc:"Pending: the user has not authorised yet. Active: we read the bank. ActionRequired: reconnect. Failed, Expired, Revoked: no consent."`
	IsActive              bool      `json:"isActive" doc:"Whether connectionStatus is Active."`
	CreatedAt             time.Time `json:"createdAt" doc:"When the connection was created."`
	LastSuccessAt         time.Time `json:"lastSuccessAt" doc:"When we last read all accounts; 0001-01-01T00:00:00Z before the first time."`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt" doc:"The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown."`
	ConsentExpiresAt      time.Time `json:"consentExpiresAt" doc:"When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown."`
	StatusReason          string    `json:"statusReason" enum:",LinkExpired,UserCancelled,AuthorisationFailed,ConsentExpired,ConsentRevoked,ConsentReplaced,PartialData,AccountsMismatch,SupplierUnavailable,SupplierRateLimited,SupplierInvalidResponse,SupplierRejected,SupplierConsentInvalid,SupplierConsentExpired,SupplierConsentUnknown,InternalError" doc:"Why the connection has this status; empty if there is nothing to report. The guide to errors says what each means and what to do."`

	PartialData *partialData `json:"partialData,omitempty" doc:"Bank data that the last sync could not read. Only if statusReason is PartialData."`
}

type partialData struct {
	_ struct{} `doc:"How much of the bank's data the last sync could not read."`

	Rows     int `json:"rows" minimum:"0" doc:"How many transactions could not be read."`
	Accounts int `json:"accounts" minimum:"0" doc:"Number of accounts whose balance or transactions could not be read. What was read before stays as it is."`
}

type connectionData struct {
	Connection wireConnection `json:"connection"`
}

type connectionsData struct {
	Connections []wireConnection `json:"connections" nullable:"false" doc:"One page of the user's connections."`
}

type createConnectionInput struct {
	Body struct {
		_ struct{} `doc:"The bank to connect, and where to send the user afterwards."`

		ProviderID  string `json:"providerId" format:"uuid" minLength:"36" maxLength:"36" doc:"The bank, from GET /openbanking/v1/providers."`
		AccountType string `json:"accountType,omitempty" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General" doc:"Optional, and ignored: the user picks the accounts at the bank."`
		ReturnURL   string `json:"returnUrl,omitempty" format:"uri" maxLength:"2000" doc:"Where the user returns to. Must be under a URL that is registered for you; without it, the first of those. We add connectionId and status to its query."`
	}
}

// ConnectionPath is the path of one connection. It is exported because Huma reads
// embedded fields of exported types only.
type ConnectionPath struct {
	ConnectionID string `path:"connectionId" format:"uuid" minLength:"36" maxLength:"36" doc:"A connection of the user, from listConnections." example:"5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55"`
}

// id returns the connection's ID in the lower case of the store.
func (in ConnectionPath) id() string { return strings.ToLower(in.ConnectionID) }

func exampleConnection() wireConnection {
	at := time.Date(2026, 3, 2, 9, 35, 0, 0, time.UTC)
	return wireConnection{
		ConnectionID: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55",
		ProviderID:   exampleProvider().ID, ProviderName: exampleProvider().Name,
		ConnectionStatus: "Active", IsActive: true, CreatedAt: at,
		LastSuccessAt: at.Add(time.Minute), NextRefreshPossibleAt: at.Add(61 * time.Minute),
		ConsentExpiresAt: time.Date(2026, 8, 29, 0, 0, 0, 0, time.UTC),
	}
}

func registerConnections(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "createConnection", Method: http.MethodPost, Path: prefix + "/connections",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status:  http.StatusCreated,
		Summary: "Connect a user's bank account",
		Description: "Send the user to redirectUrl before expiresAt. The bank asks the user for consent. " +
			"Then the user returns to returnUrl, " +
			"with connectionId and status (success, failed, cancelled) in the query. " +
			"If the user has connected this bank before, the new connection takes over the accounts " +
			"that both list, with their IDs, history and categories. " +
			"An older connection that keeps no account becomes Expired with the reason ConsentReplaced.",
		Request: map[string]any{"providerId": exampleProvider().ID, "returnUrl": "https://partner.example/back"},
		Answer:  exampleLink(),
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound,
			apierror.ProviderNotAvailable, apierror.ReturnURLNotRegistered,
		},
	}, func(ctx context.Context, in *createConnectionInput) (*api.Response[connectionLink], error) {
		return api.Make(ctx, linkResponse(ctx), func(also idempotency.Effect[connection.Connection]) (connection.Connection, error) {
			return connections.Create(ctx, api.User(ctx), strings.ToLower(in.Body.ProviderID), in.Body.ReturnURL, also)
		})
	})

	api.Register(r, api.Operation{
		ID: "listConnections", Method: http.MethodGet, Path: prefix + "/connections",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Summary:     "List a user's connections",
		Description: "All of the user's connections, whatever their status. The order is stable but has no meaning.",
		Answer:      connectionsData{Connections: []wireConnection{exampleConnection()}},
		Faults:      []apierror.Code{apierror.TermsNotAccepted, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *api.Page) (*api.Response[connectionsData], error) {
		return api.Paged(ctx, r, in.NextToken, func(position string) (connectionsData, string, error) {
			page, err := connections.List(ctx, api.User(ctx), in.Limit, position)
			return connectionsData{api.List(page.Items, toConnection)}, page.Next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getConnection", Method: http.MethodGet, Path: prefix + "/connections/{connectionId}",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Summary: "Get a connection", Description: "Its status, and the reason for it.",
		Answer: connectionData{Connection: exampleConnection()},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *ConnectionPath) (*api.Response[connectionData], error) {
		c, err := connections.Get(ctx, api.User(ctx), in.id())
		return api.OK(connectionData{toConnection(c)}), err
	})
}

func exampleLink() connectionLink {
	return connectionLink{
		RedirectURL:  "https://api.aviso.example/connect?connectionId=5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55&link=OPAQUE",
		ExpiresAt:    time.Date(2026, 3, 2, 10, 5, 0, 0, time.UTC),
		ConnectionID: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55",
	}
}

// linkResponse is the response for a connection with a new link.
func linkResponse(ctx context.Context) func(connection.Connection) *api.Response[connectionLink] {
	return func(c connection.Connection) *api.Response[connectionLink] {
		return api.With(http.StatusCreated, connectionLink{
			RedirectURL: api.BaseURL(ctx) + "/connect?connectionId=" + c.ID + "&link=" + c.Authorisation.Link,
			ExpiresAt:   c.Authorisation.ExpiresAt, ConnectionID: c.ID,
		})
	}
}

func toConnection(c connection.Connection) wireConnection {
	w := wireConnection{
		ConnectionID: c.ID, ProviderID: c.ProviderID, ProviderName: c.ProviderName,
		ConnectionStatus: string(c.Status), StatusReason: string(c.Reason), IsActive: c.IsActive(),
		CreatedAt: c.CreatedAt, LastSuccessAt: c.LastSuccessAt,
		NextRefreshPossibleAt: c.NextRefreshPossibleAt(), ConsentExpiresAt: c.ConsentExpiresAt,
	}
	if c.Reason == connection.ReasonPartialData {
		w.PartialData = &partialData{Rows: c.Partial.Rows, Accounts: c.Partial.Accounts}
	}
	return w
}
