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

// findUser returns one of the partner's users by ID, or by the partner's own ID for the user. It
// returns outcome.ErrNotFound if there is none.
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

// ownerOf returns the user who has what id names, or outcome.ErrNotFound. find looks among the
// users of all partners, but the answer is always one of this partner's who is not erased.
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

// timeOf returns the time that a user has: the real one, unless the user's clock was moved.
func (c *Console) timeOf(call *Call, user owner.User) (time.Time, error) {
	if !c.simulates() {
		return call.Now, nil
	}
	k, err := c.Clocks.Get(call.Context(), user)
	return c.timeBy(call, k), err
}

// timeBy returns the time that a user's clock shows.
func (c *Console) timeBy(call *Call, k identity.UserClock) time.Time {
	return k.Setting.At(clock.Real(call.Now)).Time()
}

// asked returns the text of a search field.
func asked(call *Call, name string) string { return strings.TrimSpace(call.URL.Query().Get(name)) }

// search finds what a page is about by its ID, or everything of a user by the user's ID.
type search struct {
	owner func(ctx context.Context, id string) (owner.User, error)
	// unknown is shown if nothing has the ID, and none for a user who has none, with a link to the
	// user's time line.
	unknown, none string
	list          func(call *Call, u identity.User, list *Table) error
	// all is what is listed if nobody looks for one.
	all recent
}

// find answers a search: with the way to what has this ID, or with the page that lists what the
// user has.
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

// userLink leads to what happened to a user. The text is the partner's own ID, if there is one.
func userLink(u identity.User) any {
	link := Link{Path + "/users/" + string(u.Owner.ID), string(u.Owner.ID)}
	if u.ExternalID == "" {
		return link
	}
	return Values{link, "your ID: " + u.ExternalID}
}

// stateOf is a state with its reason as the API has it.
func stateOf(b Badge, reason string) Values {
	if reason == "" {
		return Values{b}
	}
	return Values{b, Code(reason)}
}
