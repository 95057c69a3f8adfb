package pfmapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"

	"github.com/danielgtaylor/huma/v2"
)

// TestUserPath is the user whose account gets test rows. It is exported because Huma reads
// embedded fields of exported types only.
type TestUserPath struct {
	UserID string `path:"userId" format:"uuid" minLength:"36" maxLength:"36"`
}

type wireTestTransaction struct {
	Amount               testAmount `json:"amount"`
	BookingDate          string     `json:"bookingDate,omitempty" format:"date"`
	Counterparty         string     `json:"counterparty,omitempty" maxLength:"70"`
	Note                 string     `json:"note" minLength:"1" maxLength:"140"`
	MerchantCategoryCode string     `json:"merchantCategoryCode,omitempty" pattern:"^[0-9]{4}$" patternDescription:"four digits"`
	MandateID            string     `json:"mandateId,omitempty" maxLength:"35"`
	CreditorID           string     `json:"creditorId,omitempty" maxLength:"35"`
	Pending              bool       `json:"pending,omitempty"`
}

type createTestTransactionsInput struct {
	TestUserPath
	Body struct {
		AccountID    string                `json:"accountId" format:"uuid" minLength:"36" maxLength:"36"`
		Transactions []wireTestTransaction `json:"transactions" minItems:"1" maxItems:"100" nullable:"false"`
	}
}

type wireAddedTestTransactions struct {
	AccountID    string `json:"accountId" format:"uuid"`
	ConnectionID string `json:"connectionId" format:"uuid"`
	Added        int    `json:"added"`
}

type testTransactionsData struct {
	TestTransactions wireAddedTestTransactions `json:"testTransactions"`
}

// testAmount is an amount that remembers why it cannot be read, so that the answer can
// say where it is.
type testAmount struct {
	money.Amount
	err error
}

// Schema implements huma.SchemaProvider.
func (testAmount) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// UnmarshalJSON implements json.Unmarshaler.
func (a *testAmount) UnmarshalJSON(text []byte) error {
	a.err = a.Amount.UnmarshalJSON(text)
	return nil
}

// rows returns the rows as the service takes them.
func (in *createTestTransactionsInput) rows() ([]connection.TestRow, error) {
	rows := make([]connection.TestRow, len(in.Body.Transactions))
	var faults []apierror.Field
	for i, w := range in.Body.Transactions {
		if w.Amount.err != nil {
			faults = append(faults, apierror.Field{
				Pointer: "/transactions/" + strconv.Itoa(i) + "/amount", Code: "invalid",
				Detail: "The amount must not have more than 19 digits.",
			})
		}
		rows[i] = connection.TestRow{
			Amount: w.Amount.Amount, Day: pfm.Date(w.BookingDate), Counterparty: w.Counterparty, Note: w.Note,
			MerchantCategoryCode: w.MerchantCategoryCode, MandateID: w.MandateID, CreditorID: w.CreditorID, Pending: w.Pending,
		}
	}
	if len(faults) > 0 {
		return nil, apierror.Invalid(faults...)
	}
	return rows, nil
}

func registerTestRows(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "createTestTransactions", Method: http.MethodPost, Path: "/sandbox/v1/users/{userId}/transactions",
		Tag: "Sandbox", Scope: api.Identity, Creates: true, ActsElsewhere: true, Status: http.StatusCreated,
		Faults: []apierror.Code{
			apierror.UserNotFound, apierror.TermsNotAccepted, apierror.NotFound, apierror.ConnectionNotActive,
			apierror.TemporarilyUnavailable,
		},
	}, func(ctx context.Context, in *createTestTransactionsInput) (*api.Response[testTransactionsData], error) {
		user := owner.User{Partner: api.Partner(ctx), ID: owner.UserID(strings.ToLower(in.UserID))}
		account := strings.ToLower(in.Body.AccountID)
		response := func(c connection.Connection) *api.Response[testTransactionsData] {
			return api.With(http.StatusCreated, testTransactionsData{TestTransactions: wireAddedTestTransactions{
				AccountID: account, ConnectionID: c.ID, Added: len(in.Body.Transactions),
			}})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[connection.Connection]) (connection.Connection, error) {
			rows, err := in.rows()
			if err != nil {
				return connection.Connection{}, err
			}
			return connections.AddTestRows(ctx, user, account, api.RequestUUID(ctx), rows, also)
		})
	})
}
