// Package aviso calls the Aviso API: users' bank accounts and transactions, cancellations of
// contracts, and the callbacks that report on both.
//
// [New] makes a [Client], whose fields group the operations. What acts for a user is in the
// view that [Client.User] returns.
package aviso

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// Version is the version of this package.
const Version = "1.0.0"

// Config is what New needs. The zero value reads everything from the environment.
type Config struct {
	// ClientID and ClientSecret are your credentials; by default AVISO_CLIENT_ID and
	// AVISO_CLIENT_SECRET.
	ClientID, ClientSecret string
	// BaseURL is the address of the environment; by default AVISO_BASE_URL.
	BaseURL string
	// Timeout limits a call with all its retries; by default a minute. A context with a
	// deadline can only shorten it.
	Timeout time.Duration
	// MaxRetries is how often a request is repeated; by default 3. A negative number
	// switches retries off.
	MaxRetries int
	// HTTPClient sends the requests; by default one that waits ten seconds for a connection
	// and thirty for an answer.
	HTTPClient *http.Client
	// UserAgent names your program in front of the client's own name.
	UserAgent string
}

// Client calls the API. It may be used by many goroutines at once.
type Client struct {
	// Users are the people you act for.
	Users *UsersService
	// Terms are the terms that users accept.
	Terms *TermsService
	// Providers are the banks.
	Providers *ProvidersService
	// Transactions has what is the same for all users.
	Transactions *TransactionsService
	// Catalogue has organizations and what can be cancelled with them.
	Catalogue *CatalogueService
	// Search finds organizations and products by name.
	Search *SearchService
	// Webhooks are your subscriptions to events.
	Webhooks *WebhooksService

	config Config
	tokens *tokens
}

// UserView has the operations that act for one user.
type UserView struct {
	// ID is the user's.
	ID            string
	Terms         *UserTermsService
	Connections   *UserConnectionsService
	Accounts      *UserAccountsService
	Transactions  *UserTransactionsService
	Insights      *UserInsightsService
	Cancellations *UserCancellationsService
	// Sandbox makes test data, and moves the user's time.
	Sandbox *UserSandboxService
}

type (
	// UsersService is the group Users of Client.
	UsersService service
	// TermsService is the group Terms of Client.
	TermsService service
	// ProvidersService is the group Providers of Client.
	ProvidersService service
	// TransactionsService is the group Transactions of Client.
	TransactionsService service
	// CatalogueService is the group Catalogue of Client.
	CatalogueService service
	// SearchService is the group Search of Client.
	SearchService service
	// WebhooksService is the group Webhooks of Client.
	WebhooksService service

	// UserTermsService is the group Terms of UserView.
	UserTermsService service
	// UserConnectionsService is the group Connections of UserView.
	UserConnectionsService service
	// UserAccountsService is the group Accounts of UserView.
	UserAccountsService service
	// UserTransactionsService is the group Transactions of UserView.
	UserTransactionsService service
	// UserInsightsService is the group Insights of UserView.
	UserInsightsService service
	// UserCancellationsService is the group Cancellations of UserView.
	UserCancellationsService service
	// UserSandboxService is the group Sandbox of UserView.
	UserSandboxService service
)

type service struct {
	client *Client
	userID string
}

// New returns a client. It calls nothing yet: a token is fetched with the first request.
func New(config Config) (*Client, error) {
	config.ClientID = cmp.Or(config.ClientID, os.Getenv("AVISO_CLIENT_ID"))
	config.ClientSecret = cmp.Or(config.ClientSecret, os.Getenv("AVISO_CLIENT_SECRET"))
	config.BaseURL = strings.TrimRight(cmp.Or(config.BaseURL, os.Getenv("AVISO_BASE_URL")), "/")
	for _, setting := range []struct{ value, name, variable string }{
		{config.ClientID, "ClientID", "AVISO_CLIENT_ID"},
		{config.ClientSecret, "ClientSecret", "AVISO_CLIENT_SECRET"},
		{config.BaseURL, "BaseURL", "AVISO_BASE_URL"},
	} {
		if setting.value == "" {
			return nil, fmt.Errorf("aviso: %s is missing: set it or %s", setting.name, setting.variable)
		}
	}
	if !strings.HasPrefix(config.BaseURL, "http://") && !strings.HasPrefix(config.BaseURL, "https://") {
		return nil, errors.New("aviso: the base URL must begin with http:// or https://")
	}
	config.Timeout = cmp.Or(config.Timeout, time.Minute)
	config.MaxRetries = cmp.Or(config.MaxRetries, 3)
	if config.HTTPClient == nil {
		config.HTTPClient = defaultHTTPClient()
	}
	config.UserAgent = strings.TrimSpace(config.UserAgent + " aviso-go/" + Version)

	c := &Client{config: config, tokens: newTokens()}
	s := &service{client: c}
	c.Users, c.Terms, c.Providers = (*UsersService)(s), (*TermsService)(s), (*ProvidersService)(s)
	c.Transactions, c.Catalogue, c.Search = (*TransactionsService)(s), (*CatalogueService)(s), (*SearchService)(s)
	c.Webhooks = (*WebhooksService)(s)
	return c, nil
}

// User returns the view of a user. It calls nothing.
func (c *Client) User(userID string) *UserView {
	s := &service{client: c, userID: userID}
	return &UserView{
		ID:            userID,
		Terms:         (*UserTermsService)(s),
		Connections:   (*UserConnectionsService)(s),
		Accounts:      (*UserAccountsService)(s),
		Transactions:  (*UserTransactionsService)(s),
		Insights:      (*UserInsightsService)(s),
		Cancellations: (*UserCancellationsService)(s),
		Sandbox:       (*UserSandboxService)(s),
	}
}

func defaultHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: 30 * time.Second,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   16,
			ForceAttemptHTTP2:     true,
		},
		// The API never redirects, and a token must not go elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Must returns the value, and panics if there is an error. It is for scripts and tests.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
