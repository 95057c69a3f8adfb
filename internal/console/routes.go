package console

import (
	"net/http"
	"slices"
)

// Role is what somebody may do. Each role includes the ones before it.
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

// roleNames are the names in the configuration and on pages.
func roleNames() []string { return []string{"", "viewer", "developer", "admin"} }

// String returns the role's name.
func (r Role) String() string { return roleNames()[r] }

// ParseRole returns the role with this name, and whether there is one.
func ParseRole(name string) (Role, bool) {
	i := slices.Index(roleNames(), name)
	return Role(i), i > 0
}

// Route is one page, or one thing that a form does.
type Route struct {
	Method string
	// Path is a pattern of http.ServeMux.
	Path string
	// Role is the least role that may use the route.
	Role Role
	// Action is the route's name in the audit log, such as "secret.create". Every POST with
	// a role has one, and every page that nobody should open unseen.
	Action string
	// Did is the action in words: "Created a client secret".
	Did string
	Do  Handler
}

// Handler answers a call. An error becomes an error page: 404 for outcome.ErrNotFound, the
// text of an apierror, and otherwise 500.
type Handler func(c *Call) (Answer, error)

// Routes returns the table of all routes. Each area of the console adds its own.
func (c *Console) Routes() []Route {
	return slices.Concat(
		c.assetRoutes(),
		c.signInRoutes(),
		c.overviewRoutes(),
		c.userRoutes(),
		c.requestRoutes(),
		c.eventRoutes(),
		c.webhookRoutes(),
		c.connectionRoutes(),
		c.cancellationRoutes(),
		c.sandboxRoutes(),
		c.keyRoutes(),
		c.auditRoutes(),
	)
}

// Section is an entry of the navigation.
type Section struct{ Path, Name string }

// sections returns the navigation in display order. A section without a route is not shown.
func sections() []Section {
	return []Section{
		{Path, "Overview"},
		{Path + "/users", "Users"},
		{Path + "/connections", "Connections"},
		{Path + "/cancellations", "Cancellations"},
		{Path + "/events", "Events"},
		{Path + "/webhooks", "Webhooks"},
		{Path + "/requests", "Requests"},
		{Path + "/keys", "Keys"},
		{Path + "/sandbox", "Sandbox"},
		{Path + "/audit", "Audit log"},
	}
}

// navigation returns the sections that a role may open.
func (c *Console) navigation(role Role) []Section {
	routes := c.Routes()
	return slices.DeleteFunc(sections(), func(s Section) bool {
		return !slices.ContainsFunc(routes, func(r Route) bool {
			return r.Method == http.MethodGet && r.Path == s.Path && r.Role <= role
		})
	})
}
