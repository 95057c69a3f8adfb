package console

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// user returns one of the partner's users, or outcome.ErrNotFound.
func (c *Console) user(call *Call, id owner.UserID) (identity.User, error) {
	return noUser(c.Users.Get(call.Context(), owner.User{Partner: call.Partner(), ID: id}))
}

// findUser returns one of the partner's users by ID or by external ID. It returns outcome.ErrNotFound if there is
// none.
func (c *Console) findUser(call *Call, id string) (identity.User, error) {
	if uuid.Validate(id) == nil {
		u, err := c.user(call, owner.UserID(strings.ToLower(id)))
		if !errors.Is(err, outcome.ErrNotFound) {
			return u, err
		}
	}
	return noUser(c.Users.ByExternalID(call.Context(), call.Partner(), id))
}

func noUser(u identity.User, err error) (identity.User, error) {
	if apierror.Is(err, apierror.UserNotFound) {
		err = outcome.ErrNotFound
	}
	return u, err
}

// ownerOf returns the user who owns the object with an ID, or outcome.ErrNotFound. find searches all partners' users,
// but ownerOf returns only existing users of this partner.
func (c *Console) ownerOf(
	call *Call, id string, find func(ctx context.Context, id string) (owner.User, error),
) (identity.User, error) {
	if uuid.Validate(id) != nil {
		return identity.User{}, outcome.ErrNotFound
	}
	who, err := find(call.Context(), id)
	if err != nil {
		return identity.User{}, err
	}
	return c.user(call, who.ID)
}

// timeOf returns the user's time: real time, unless the user's clock was moved.
func (c *Console) timeOf(call *Call, user owner.User) (time.Time, error) {
	if !c.simulates() {
		return call.Now, nil
	}
	k, err := c.Clocks.Get(call.Context(), user)
	return c.timeBy(call, k), err
}

// timeBy returns the time on a user's clock.
func (c *Console) timeBy(call *Call, k identity.UserClock) time.Time {
	return k.Setting.At(clock.Real(call.Now)).Time()
}

// asked returns the text of a search field.
func asked(call *Call, name string) string { return strings.TrimSpace(call.URL.Query().Get(name)) }

// search finds an object by its ID, or all objects of a user by the user's ID.
type search struct {
	owner func(ctx context.Context, id string) (owner.User, error)
	// unknown is the text for an unknown ID. none is the text for a user without such objects, with a link to the
	// user's timeline.
	unknown, none string
	list          func(call *Call, u identity.User, list *Table) error
	// all is the list that is shown without a search.
	all recent
}

// find answers a search: it redirects to the object with this ID, or lists the user's objects.
func (c *Console) find(call *Call, page Page, s search) (Answer, error) {
	text := asked(call, "find")
	if text == "" {
		err := c.list(call, &page, s.all)
		return page, err
	}
	page.Kept = ""
	id := strings.ToLower(text)
	if _, err := c.ownerOf(call, id, s.owner); !errors.Is(err, outcome.ErrNotFound) {
		return Redirect{To: page.Section + "/" + id}, err
	}
	u, err := c.findUser(call, text)
	if errors.Is(err, outcome.ErrNotFound) {
		page.List.Empty = emptyOf(s.unknown)
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	page.Facts, page.List.Empty = Facts{{"User", userLink(u)}}, emptyOf(s.none)
	page.List.Empty.Link = Link{usersPath + "/" + string(u.Owner.ID), "What happened"}
	err = s.list(call, u, &page.List)
	return page, err
}

// userLink links to a user's timeline. The text is the external ID, if there is one.
func userLink(u identity.User) any {
	link := Link{Path + "/users/" + string(u.Owner.ID), string(u.Owner.ID)}
	if u.ExternalID == "" {
		return link
	}
	return Values{link, "your ID: " + u.ExternalID}
}

// stateOf is a state, and its reason in the API's spelling.
func stateOf(b Badge, reason string) Values {
	if reason == "" {
		return Values{b}
	}
	return Values{b, Code(reason)}
}
