package console

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

const usersPath = Path + "/users"

func (c *Console) userRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: usersPath, Role: Viewer, Do: c.showUsers},
		{Method: http.MethodGet, Path: usersPath + "/{user}", Role: Viewer, Do: c.showUser},
	}
}

func (c *Console) showUsers(call *Call) (Answer, error) {
	data := listPage{
		Find: finder(call, usersPath, "id", "External ID or user ID", ""),
		List: Table{Caption: "Users, those first to whom something happened last", Empty: Empty{
			Title: "Nothing happened to any user yet",
			Text:  "Find a user by the externalId that your server created it with. No user yet? This creates one:",
			Command: `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \` + "\n" +
				`  -d '{"externalId":"customer-1","countryCode":"DE","languageCode":"de"}' \` + "\n" +
				"  " + c.origin(call.Request) + "/identity/v1/users",
		}},
	}
	if id := asked(call, "id"); id != "" {
		user, err := c.findUser(call, id)
		if err == nil {
			return Redirect{To: usersPath + "/" + url.PathEscape(string(user.Owner.ID))}, nil
		}
		if !errors.Is(err, outcome.ErrNotFound) {
			return nil, err
		}
		data.Find.Fields[0].Problem = "You have no user with this ID. Perhaps it was erased, or it is a user of another environment."
	}
	err := c.list(call, &data, recent{
		path: usersPath, choice: typeChoice(), columns: []string{"User", "Last event", "When", "What happened"},
		fits: isOfType, about: func(e feed.Event) string { return string(e.User) },
		row: func(call *Call, e feed.Event) ([]any, error) {
			to, err := c.nameOf(call, e.User)
			story := tell(e)
			return []any{to, Link{eventsPath + "/" + e.ID, e.Type}, e.SeenAt, Pair{story.What, story.Next}}, err
		},
	})
	return Page{
		Title: "Users", Section: usersPath, Template: "list", Data: data, Kept: keptMonth,
		Lead: "Users to whom something happened. Find any other one by its ID.",
	}, err
}

// nameOf leads to a user, by the partner's own ID for it if there is one.
func (c *Console) nameOf(call *Call, id owner.UserID) (any, error) {
	u, err := c.user(call, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return "A user who was erased since", nil
	}
	return Link{usersPath + "/" + url.PathEscape(string(id)), cmp.Or(u.ExternalID, string(id))}, err
}

// userPage is a user's time line.
type userPage struct {
	Facts Facts
	// Has leads to what the user has.
	Has      []Link
	Timeline Table
}

func (c *Console) showUser(call *Call) (Answer, error) {
	user, err := c.findUser(call, call.PathValue("user"))
	if err != nil {
		return nil, err
	}
	before := call.URL.Query().Get("before")
	events, next, err := c.Past.Timeline(call.Context(), user.Owner, pastPage, before)
	if err != nil {
		return nil, err
	}
	here := usersPath + "/" + url.PathEscape(string(user.Owner.ID))
	table := Table{
		Caption: "Time line", Columns: []string{"When", "Event", "What happened", "Callbacks"},
		Empty: Empty{
			Title: "Nothing happened in the last 30 days",
			Text:  "Connections, syncs, letters and their callbacks appear here within seconds.",
		},
		Pages: Pages{Later: before != "", Newest: here},
	}
	if next != "" {
		table.Pages.Older = here + "?" + url.Values{"before": {next}}.Encode()
	}
	now, err := c.timeOf(call, user.Owner)
	if err != nil {
		return nil, err
	}
	when := func(e feed.Event) any { return Moment{e.OccurredAt, now} }
	if table.Rows, err = c.eventRows(call, events, when); err != nil {
		return nil, err
	}
	title := "User"
	if user.ExternalID != "" {
		title = "User " + user.ExternalID
	}
	facts := Facts{
		{"External ID", Code(user.ExternalID)}, {"User ID", Code(user.Owner.ID)}, {"Created", At{user.CreatedAt}},
		{"Country, language", user.CountryCode + ", " + user.LanguageCode},
	}
	if isAhead(call.Now, now) {
		facts = append(facts, Fact{"The user's time", At{now}.utc()})
	}
	return Page{
		Title: title, Section: usersPath, Template: "user", Crumbs: []Link{{usersPath, "Users"}},
		Lead: "Everything that happened to this user in the last 30 days, the newest first.",
		Data: userPage{Facts: facts, Has: c.linksOf(user.Owner.ID), Timeline: table},
	}, nil
}

// linksOf returns where to find what a user has.
func (c *Console) linksOf(id owner.UserID) []Link {
	links := []Link{
		{connectionsPath + "?find=" + string(id), "Connections"}, {cancellationsPath + "?find=" + string(id), "Cancellations"},
	}
	if c.Clocks != nil {
		links = append(links, Link{clockPath + "/" + string(id), "Clock"})
	}
	return links
}
