package console

import (
	"net/http"
	"slices"
)

// Role is a person's role. Each role includes the ones before it.
type Role int

// The roles. Pages for Anybody need no session.
const (
	Anybody Role = iota
	// Viewer reads everything but letters.
	Viewer
	// Developer also sends events and manages webhooks.
	Developer
	// Admin also sees letters and manages client secrets.
	Admin
)

// roleNames are the names of the roles in the configuration and on pages.
func roleNames() []string { return []string{"", "viewer", "developer", "admin"} }

// String returns the role's name.
func (r Role) String() string { return roleNames()[r] }

// ParseRole returns the role with this name, or false if there is none.
func ParseRole(name string) (Role, bool) {
	i := slices.Index(roleNames(), name)
	return Role(i), i > 0
}

// Route is one page, or one action of a form.
type Route struct {
	Method string
	// Path is a pattern of http.ServeMux.
	Path string
	// Role is the lowest role that may use the route.
	Role Role
	// Action is the route's name in the audit log, such as "secret.create". Every POST with a role has one, and so does
	// every page with sensitive data.
	Action string
	// Did is the action in words: "Created a client secret".
	Did string
	Do  Handler
}

// get returns the route of a page.
func get(path string, role Role, do Handler) Route {
	return Route{Method: http.MethodGet, Path: path, Role: role, Do: do}
}

// post returns the route of a form's action.
func post(path string, role Role, action, did string, do Handler) Route {
	return Route{Method: http.MethodPost, Path: path, Role: role, Action: action, Did: did, Do: do}
}

// Handler answers a call. An error becomes an error page: outcome.ErrNotFound is a 404, an apierror is shown with its
// text, and any other error is a 500.
type Handler func(c *Call) (Answer, error)

// Routes returns the table of all routes.
func (c *Console) Routes() []Route {
	routes := []Route{
		asset("console.css", "text/css; charset=utf-8", styleSheet),
		asset("console.js", "text/javascript; charset=utf-8", script),
		get(signInPath, Anybody, c.showSignIn),
		post(signInPath, Anybody, actionSignIn, "Sign-in", c.signIn),
		get(providerPath, Anybody, c.toProvider),
		get(callbackPath, Anybody, c.fromProvider),
		post(Path+"/sign-out", Viewer, "sign-out", "Sign-out", c.signOut),
		get(Path, Viewer, c.showOverview),
		get(usersPath, Viewer, c.showUsers),
		get(usersPath+"/{user}", Viewer, c.showUser),
		get(requestsPath, Viewer, c.showRequests),
		get(requestsPath+".json", Viewer, c.saveRequests),
		get(requestsPath+"/{trace}", Viewer, c.showTrace),
		get(eventsPath, Viewer, c.showEvents),
		get(eventsPath+"/{event}", Viewer, c.showEvent),
		get(webhooksPath, Viewer, c.showWebhooks),
		get(webhookPath, Viewer, c.of(c.showWebhook)),
		get(webhookPath+"/attempts/{attempt}", Viewer, c.of(c.showAttempt)),
		get(webhookPath+"/events/{delivered}", Viewer, c.of(c.showDelivery)),
		post(webhookPath+"/events/{delivered}/retry", Developer,
			"webhook.event.retry", "Made a waiting attempt at once", c.retryNow),
		post(webhookPath+"/send-waiting", Developer,
			"webhook.waiting.send", "Made all waiting attempts at once", c.of(c.sendWaiting)),
		get(webhookPath+"/outages", Viewer, c.of(c.showOutages)),
		get(webhookPath+"/outages/{attempt}", Viewer, c.of(c.showOutage)),
		get(webhookPath+"/outages/{attempt}/events.csv", Viewer, c.of(c.saveOutage)),
		get(webhookPath+"/outages/{attempt}/requests.csv", Viewer, c.of(c.saveCatchUp)),
		get(webhookPath+"/send", Developer, c.of(c.showSend)),
		post(webhookPath+"/send", Developer, "webhook.event.send", "Sent a simulated event", c.of(c.sendEvent)),
		get(webhookPath+"/secrets", Viewer, c.of(c.showSigningSecrets)),
		post(webhookPath+"/secrets", Developer,
			"webhook.secret.create", "Created a signing secret", c.of(c.createSigningSecret)),
		post(webhookPath+"/secrets/{secret}/revoke", Developer,
			"webhook.secret.revoke", "Revoked a signing secret", c.revokeSigningSecret),
		get(webhookPath+"/settings", Developer, c.of(c.showSettings)),
		post(webhookPath+"/settings", Developer, "webhook.change", "Changed a subscription", c.of(c.saveSettings)),
		post(webhookPath+"/pause", Developer, "webhook.pause", "Paused a subscription", c.pauseWebhook),
		post(webhookPath+"/activate", Developer, "webhook.activate", "Activated a subscription", c.activateWebhook),
		get(connectionsPath, Viewer, c.findConnections),
		get(connectionPath, Viewer, c.showConnection),
		post(connectionPath+"/read", Developer, "connection.read", "Had the bank read", c.readNow),
		post(connectionPath+"/link", Developer, "connection.link", "Made a link for a user", c.makeLink),
		get(cancellationsPath, Viewer, c.findCancellations),
		get(cancellationsPath+"/{cancellationId}", Viewer, c.showCancellation),
		get(keysPath, Admin, c.showKeys),
		post(keysPath, Admin, "secret.create", "Created a client secret", c.createSecret),
		post(keysPath+"/{digest}/revoke", Admin, "secret.revoke", "Revoked a client secret", c.revokeSecret),
		get(auditPath, Viewer, c.showAudit),
	}
	letter := get(cancellationsPath+"/{cancellationId}/letter", Admin, c.showLetter)
	letter.Action, letter.Did = "letter.look", "Looked at a letter"
	routes = append(routes, letter)
	if c.simulates() {
		routes = append(routes,
			get(sandboxPath, Viewer, c.showSandbox),
			get(clockPath, Viewer, c.findClock),
			get(clockPath+"/{userId}", Viewer, c.showClock),
			post(clockPath+"/{userId}", Developer, "clock.advance", "Advanced a user's clock", c.advanceClock))
	}
	return routes
}

// Section is an entry of the navigation.
type Section struct{ Path, Name string }

// sections returns the navigation in display order. Sections without a route are not shown.
func sections() []Section {
	return []Section{
		{Path, "Overview"},
		{usersPath, "Users"},
		{connectionsPath, "Connections"},
		{cancellationsPath, "Cancellations"},
		{eventsPath, "Events"},
		{webhooksPath, "Webhooks"},
		{requestsPath, "Requests"},
		{keysPath, "Keys"},
		{sandboxPath, "Sandbox"},
		{auditPath, "Audit log"},
	}
}

// navigation returns the sections for a role.
func (c *Console) navigation(role Role) []Section {
	routes := c.Routes()
	return slices.DeleteFunc(sections(), func(s Section) bool {
		return !slices.ContainsFunc(routes, func(r Route) bool {
			return r.Method == http.MethodGet && r.Path == s.Path && r.Role <= role
		})
	})
}
