package pfmapi

import (
	"context"
	"maps"
	"net/http"
	"net/netip"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/pfm/connection"
)

type refreshInput struct {
	ConnectionPath
	PSUIPAddress string `header:"X-Psu-Ip-Address" maxLength:"45"`
	PSUHeaders
}

// PSUHeaders are the standard's headers about a present user, with an X before their names.
type PSUHeaders struct {
	Accept         string `header:"X-Psu-Accept" pattern:"^[!-~]([ -~]*[!-~])?$" patternDescription:"printable ASCII characters, without spaces around them" maxLength:"500"`
	AcceptCharset  string `header:"X-Psu-Accept-Charset" pattern:"^[!-~]([ -~]*[!-~])?$" patternDescription:"printable ASCII characters, without spaces around them" maxLength:"500"`
	AcceptEncoding string `header:"X-Psu-Accept-Encoding" pattern:"^[!-~]([ -~]*[!-~])?$" patternDescription:"printable ASCII characters, without spaces around them" maxLength:"500"`
	AcceptLanguage string `header:"X-Psu-Accept-Language" pattern:"^[!-~]([ -~]*[!-~])?$" patternDescription:"printable ASCII characters, without spaces around them" maxLength:"500"`
	UserAgent      string `header:"X-Psu-User-Agent" pattern:"^[!-~]([ -~]*[!-~])?$" patternDescription:"printable ASCII characters, without spaces around them" maxLength:"500"`
	HTTPMethod     string `header:"X-Psu-Http-Method" enum:"GET,POST,PUT,PATCH,DELETE"`
	DeviceID       string `header:"X-Psu-Device-Id" pattern:"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" patternDescription:"a UUID" maxLength:"36"`
	GeoLocation    string `header:"X-Psu-Geo-Location" pattern:"^GEO:-?[0-9]{1,2}[.][0-9]{6};-?[0-9]{1,3}[.][0-9]{6}$" patternDescription:"GEO:, latitude, a semicolon and longitude, with six decimals"`
	IPPort         string `header:"X-Psu-Ip-Port" pattern:"^[0-9]{1,5}$" patternDescription:"a port number"`
}

// headers returns the standard's headers.
func (h PSUHeaders) headers() map[string]string {
	all := map[string]string{
		"PSU-Accept": h.Accept, "PSU-Accept-Charset": h.AcceptCharset, "PSU-Accept-Encoding": h.AcceptEncoding,
		"PSU-Accept-Language": h.AcceptLanguage, "PSU-User-Agent": h.UserAgent, "PSU-Http-Method": h.HTTPMethod,
		"PSU-Device-ID": h.DeviceID, "PSU-Geo-Location": h.GeoLocation, "PSU-IP-Port": h.IPPort,
	}
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// address returns the user's IP address in canonical form, or "" if none was sent.
func (in *refreshInput) address() (string, error) {
	if in.PSUIPAddress == "" {
		return "", nil
	}
	ip, err := netip.ParseAddr(in.PSUIPAddress)
	if err != nil || ip.Zone() != "" {
		return "", apierror.Invalid(apierror.Field{
			Header: "X-Psu-Ip-Address", Code: "invalid", Detail: "Send an IPv4 or IPv6 address without a port or zone.",
		})
	}
	return ip.Unmap().String(), nil
}

type reconnectConnectionInput struct {
	ConnectionPath
	Body *struct {
		ReturnURL string `json:"returnUrl,omitempty" format:"uri" maxLength:"2000"`
	}
}

func registerConnectionChanges(r *api.Router, connections *connection.Connections) {
	api.Register(r, api.Operation{
		ID: "refreshConnection", Method: http.MethodPost, Path: prefix + "/connections/{connectionId}/refresh",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status: http.StatusAccepted,
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound, apierror.ConnectionNotActive,
			apierror.RefreshInProgress, apierror.RefreshTooEarly,
		},
	}, func(ctx context.Context, in *refreshInput) (*api.Response[connectionData], error) {
		ip, err := in.address()
		if err != nil {
			return nil, err
		}
		response := func(c connection.Connection) *api.Response[connectionData] {
			return api.With(http.StatusAccepted, connectionData{toConnection(c)})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[connection.Connection]) (connection.Connection, error) {
			visitor := connection.Visitor{IPAddress: ip, Headers: in.headers()}
			return connections.Refresh(ctx, api.User(ctx), in.id(), visitor, also)
		})
	})

	api.Register(r, api.Operation{
		ID: "reconnectConnection", Method: http.MethodPost, Path: prefix + "/connections/{connectionId}/reconnect",
		Tag: "Connections", Scope: api.PFM, ForUser: true, Creates: true,
		Status: http.StatusCreated,
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound,
			apierror.ProviderNotAvailable, apierror.ReturnURLNotRegistered,
		},
	}, func(ctx context.Context, in *reconnectConnectionInput) (*api.Response[connectionLink], error) {
		return api.Make(ctx, linkResponse(ctx), func(also idempotency.Effect[connection.Connection]) (connection.Connection, error) {
			returnURL := ""
			if in.Body != nil {
				returnURL = in.Body.ReturnURL
			}
			return connections.Reconnect(ctx, api.User(ctx), in.id(), returnURL, also)
		})
	})

	api.Register(r, api.Operation{
		ID: "deleteConnection", Method: http.MethodDelete, Path: prefix + "/connections/{connectionId}",
		Tag: "Connections", Scope: api.PFM, ForUser: true,
		Status: http.StatusNoContent,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ConnectionPath) (*api.Empty, error) {
		return &api.Empty{}, connections.Delete(ctx, api.User(ctx), in.id())
	})
}
