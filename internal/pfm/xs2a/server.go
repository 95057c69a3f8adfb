package xs2a

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

var (
	errIssuer  = errors.New("issuer is not where the authorization server's metadata is")
	errClaimed = errors.New("authorization server is another provider's")
)

// ForeignServer is the error for an authorization server of another provider.
type ForeignServer struct {
	// Origins are the origins of the server.
	Origins []string
}

func (*ForeignServer) Error() string { return "authorization server is not one of the provider's" }

// isIssuer reports whether metadata from an address belongs to the issuer (RFC 8414, section 3.3). The well-known
// part is before the issuer's path or, as in OpenID Connect, after it. Banks may also link to another address below
// the issuer's.
func isIssuer(issuer, at *url.URL) bool {
	if !isWeb(issuer) || pfm.Origin(issuer) != pfm.Origin(at) || issuer.RawQuery != "" || issuer.Fragment != "" {
		return false
	}
	own, from := strings.TrimSuffix(issuer.Path, "/"), strings.TrimSuffix(at.Path, "/")
	before, after, isWellKnown := strings.Cut(from, "/.well-known")
	switch _, tenant, isBefore := strings.Cut(strings.TrimPrefix(after, "/"), "/"); {
	case path.Clean(from+"/") != cmp.Or(from, "/"), own != "" && path.Clean(own) != own:
		return false // dots may lead to another issuer's path
	case !isWellKnown:
		return strings.HasPrefix(from+"/", own+"/")
	case isBefore:
		return before == "" && own == "/"+tenant
	default:
		return before == own
	}
}

// checkServer returns an error if part of an authorization server is not the bank's.
func (c *Client) checkServer(ctx context.Context, bank pfm.BankEndpoint, parts []*url.URL) error {
	var foreign []string
	for _, to := range parts {
		if at := to.Scheme + "://" + to.Host; !bank.HasServer(to) && !slices.Contains(foreign, at) {
			foreign = append(foreign, at)
		}
	}
	if len(foreign) > 0 {
		return &pfm.SupplierError{Kind: pfm.SupplierRejected, Err: &ForeignServer{foreign}}
	}
	if c.claimed == nil {
		return nil
	}
	isClaimed, err := c.claimed(ctx, bank, parts)
	switch {
	case err != nil:
		return &pfm.SupplierError{Kind: pfm.SupplierUnavailable, Err: err}
	case isClaimed:
		return &pfm.SupplierError{Kind: pfm.SupplierRejected, Err: errClaimed}
	}
	return nil
}
