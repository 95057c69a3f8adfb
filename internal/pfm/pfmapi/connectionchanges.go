package pfmapi

import (
	"context"
	"net/http"
	"net/netip"

	"aviso/internal/api"
	"aviso/internal/apierror"
	"aviso/internal/pfm"
)

const headerPSUIP = "X-Psu-Ip-Address"

type refreshInput struct {
	ConnectionPath
	PSUIPAddress string `header:"X-Psu-Ip-Address" maxLength:"45" doc:"The user's IP address, if the user is present. Such a refresh does not count towards the four a day without the user." example:"203.0.113.7"`
}

// address returns the user's IP address in canonical form, or "" if none was sent.
func (in *refreshInput) address() (string, error) {
	if in.PSUIPAddress == "" {
		return "", nil
	}
	ip, err := netip.ParseAddr(in.PSUIPAddress)
	if err != nil || ip.Zone() != "" {
		return "", apierror.Invalid(
			apierror.Field{
				Header: headerPSUIP, Code: "invalid", Detail: "Send an IPv4 or IPv6 address without a port or zone.",
			},
		)
	}
	return ip.Unmap().String(), nil
}

type reconnectInput struct {
	ConnectionPath
	Body struct {
		ReturnURL string `json:"returnUrl" format:"uri" maxLength:"2000" doc:"Where the user returns to, as for a new connection."`
	}
}

func registerConnectionChanges(r *api.Router, connections *pfm.Connections) {
	api.Register(r, api.Operation{
		ID: "refreshConnection", Method: http.MethodPost, Path: prefix + "/connections/{connectionId}/refresh",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status:  http.StatusAccepted,
		Summary: "Refresh a connection now",
		Description: "We read the bank within seconds; lastSuccessAt shows when we succeeded. " +
			"Possible from nextRefreshPossibleAt on, and at most four times a day (UTC) without the user, " +
			"automatic refreshes included.",
		Answer: connectionData{Connection: exampleConnection()},
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound, apierror.ConnectionNotActive,
			apierror.RefreshInProgress, apierror.RefreshTooEarly,
		},
	}, func(ctx context.Context, in *refreshInput) (*api.Response[connectionData], error) {
		ip, err := in.address()
		if err != nil {
			return nil, err
		}
		response := func(c pfm.Connection) *api.Response[connectionData] {
			return api.With(http.StatusAccepted, connectionData{Connection: toConnection(c)})
		}
		return api.Make(ctx, response, func() (pfm.Connection, error) {
			return connections.Refresh(ctx, api.User(ctx), in.id(), ip)
		})
	})

	api.Register(r, api.Operation{
		ID: "reconnectConnection", Method: http.MethodPost, Path: prefix + "/connections/{connectionId}/reconnect",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status:  http.StatusCreated,
		Summary: "Renew or repair a connection",
		Description: "Creates a new link to the bank for the same connection. " +
			"The connection, its accounts and its transactions keep their IDs. " +
			"An Active connection stays as it is until the user authorises the new consent; " +
			"any other becomes Pending. Any earlier link stops working. " +
			"If the user shares none of the accounts that we know, we read nothing and end the new consent: " +
			"the connection becomes ActionRequired with the reason AccountsMismatch.",
		Request: map[string]any{"returnUrl": "https://partner.example/back"},
		Answer:  exampleLink(),
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound,
			apierror.ProviderNotAvailable, apierror.ReturnURLNotRegistered,
		},
	}, func(ctx context.Context, in *reconnectInput) (*api.Response[connectionLink], error) {
		return api.Make(ctx, linkResponse(ctx), func() (pfm.Connection, error) {
			return connections.Reconnect(ctx, api.User(ctx), in.id(), in.Body.ReturnURL)
		})
	})

	api.Register(r, api.Operation{
		ID: "deleteConnection", Method: http.MethodDelete, Path: prefix + "/connections/{connectionId}",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Status:  http.StatusNoContent,
		Summary: "Delete a connection",
		Description: "The connection and the accounts that it holds disappear at once, their transactions within " +
			"20 seconds. Accounts that another connection has taken over stay. " +
			"We end the consent at the bank.",
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *ConnectionPath) (*api.Empty, error) {
		return &api.Empty{}, connections.Delete(ctx, api.User(ctx), in.id())
	})
}
