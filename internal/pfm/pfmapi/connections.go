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
	RedirectURL  string    `json:"redirectUrl" format:"uri"`
	ExpiresAt    time.Time `json:"expiresAt"`
	ConnectionID string    `json:"connectionId" format:"uuid"`
}

type wireConnection struct {
	ConnectionID          string    `json:"connectionId" format:"uuid"`
	ProviderID            string    `json:"providerId" format:"uuid"`
	ProviderName          string    `json:"providerName"`
	ConnectionStatus      string    `json:"connectionStatus" enum:"Pending,Active,ActionRequired,Failed,Expired,Revoked"`
	IsActive              bool      `json:"isActive"`
	CreatedAt             time.Time `json:"createdAt"`
	LastSuccessAt         time.Time `json:"lastSuccessAt"`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt"`
	ConsentExpiresAt      time.Time `json:"consentExpiresAt"`
	StatusReason          string    `json:"statusReason" enum:",PartiallyAuthorised,LinkExpired,UserCancelled,AuthorisationFailed,ConsentExpired,ConsentRevoked,ConsentReplaced,TermsNotAccepted,PartialData,AccountsMismatch,SupplierUnavailable,SupplierRateLimited,SupplierInvalidResponse,SupplierRejected,SupplierConsentInvalid,SupplierConsentExpired,SupplierConsentUnknown,InternalError"`

	PartialData *partialData `json:"partialData,omitempty"`
}

type partialData struct {
	Rows     int `json:"rows" minimum:"0"`
	Accounts int `json:"accounts" minimum:"0"`
	// Until is left out if the bank has not named a time.
	Until *time.Time `json:"until,omitempty"`
}

type connectionData struct {
	Connection wireConnection `json:"connection"`
}

type connectionsData struct {
	Connections []wireConnection `json:"connections" nullable:"false"`
}

type createConnectionInput struct {
	Body struct {
		ProviderID  string `json:"providerId" format:"uuid" minLength:"36" maxLength:"36"`
		AccountType string `json:"accountType,omitempty" enum:"CurrentAccount,SavingAccount,BonusAccount,CreditCard,Loan,Mortgage,Overdraft,Investment,Insurance,Cash,General"`
		ReturnURL   string `json:"returnUrl,omitempty" format:"uri" maxLength:"2000"`
	}
}

// ConnectionPath is the path of one connection. It is exported because Huma reads
// embedded fields of exported types only.
type ConnectionPath struct {
	ConnectionID string `path:"connectionId" format:"uuid" minLength:"36" maxLength:"36"`
}

// id returns the connection's ID in the lower case of the store.
func (in ConnectionPath) id() string { return strings.ToLower(in.ConnectionID) }

func registerConnections(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "createConnection", Method: http.MethodPost, Path: prefix + "/connections",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status: http.StatusCreated,
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
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *api.Page) (*api.Response[connectionsData], error) {
		return api.Paged(ctx, r, in.NextToken, func(position string) (connectionsData, string, error) {
			page, err := connections.List(ctx, api.User(ctx), in.Limit, position)
			return connectionsData{api.List(page.Items, toConnection)}, page.Next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getConnection", Method: http.MethodGet, Path: prefix + "/connections/{connectionId}",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ConnectionPath) (*api.Response[connectionData], error) {
		c, err := connections.Get(ctx, api.User(ctx), in.id())
		return api.OK(connectionData{toConnection(c)}), err
	})
}

type wireConsent struct {
	ConsentID    string    `json:"consentId" format:"uuid"`
	ConnectionID string    `json:"connectionId" format:"uuid"`
	ProviderID   string    `json:"providerId" format:"uuid"`
	ProviderName string    `json:"providerName"`
	Status       string    `json:"consentStatus" enum:"Given,Active,Declined,Unused,Expired,Revoked,Replaced,Withdrawn,Erased"`
	Text         string    `json:"text"`
	TextSHA256   string    `json:"textSha256" pattern:"^[0-9a-f]{64}$"`
	TextVersion  int       `json:"textVersion"`
	LanguageCode string    `json:"languageCode"`
	AnsweredAt   time.Time `json:"answeredAt"`
	AuthorisedAt time.Time `json:"authorisedAt,omitzero"`
	ValidUntil   time.Time `json:"validUntil"`
	EndedAt      time.Time `json:"endedAt,omitzero"`
	AccountIDs   []string  `json:"accountIds" nullable:"false"`
}

type consentsData struct {
	Consents []wireConsent `json:"consents" nullable:"false"`
}

func registerConsents(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "listConsents", Method: http.MethodGet, Path: prefix + "/connections/{connectionId}/consents",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ConnectionPath) (*api.Response[consentsData], error) {
		records, err := connections.Consents(ctx, api.User(ctx), in.id())
		return api.OK(consentsData{api.List(records, func(c connection.ConsentRecord) wireConsent {
			return wireConsent{
				ConsentID: c.ID, ConnectionID: in.id(), ProviderID: c.ProviderID, ProviderName: c.ProviderName,
				Status: string(c.Status), Text: c.Text, TextSHA256: c.Digest(), TextVersion: c.Version, LanguageCode: c.Language,
				AnsweredAt: c.AnsweredAt, AuthorisedAt: c.AuthorisedAt, ValidUntil: c.ValidUntil, EndedAt: c.EndedAt,
				AccountIDs: append([]string{}, c.AccountIDs...),
			}
		})}), err
	})
}

// linkResponse is the response for a connection with a new link.
func linkResponse(ctx context.Context) func(connection.Connection) *api.Response[connectionLink] {
	return func(c connection.Connection) *api.Response[connectionLink] {
		return api.With(http.StatusCreated, connectionLink{
			RedirectURL: c.LinkAddress(api.BaseURL(ctx)),
			ExpiresAt:   c.Authorisation.ExpiresAt, ConnectionID: c.ID,
		})
	}
}

func toConnection(c connection.Connection) wireConnection {
	w := wireConnection{
		ConnectionID: c.ID, ProviderID: c.ProviderID, ProviderName: c.ProviderName, ConnectionStatus: string(c.Status),
		StatusReason: string(c.Reason), IsActive: c.IsActive(), CreatedAt: c.CreatedAt, LastSuccessAt: c.LastSuccessAt,
		NextRefreshPossibleAt: c.NextRefreshPossibleAt(), ConsentExpiresAt: c.ConsentExpiresAt,
	}
	if c.Reason == connection.ReasonPartialData {
		w.PartialData = &partialData{Rows: c.Partial.Rows, Accounts: c.Partial.Accounts}
		if until := c.Partial.Until; !until.IsZero() {
			w.PartialData.Until = &until
		}
	}
	return w
}
