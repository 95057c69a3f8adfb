package console

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
)

const connectionPath = connectionsPath + "/{connectionId}"

// addMends adds what a developer can do about the connection, or why that is not possible now.
func addMends(call *Call, page *Page, k connection.Connection, now time.Time) {
	if call.Session.Role < Developer {
		return
	}
	path := connectionsPath + "/" + url.PathEscape(k.ID)
	var forms []Form
	if refusal, _ := errors.AsType[*apierror.Error](k.MayRefresh(now)); refusal == nil {
		forms = append(forms, *formOf("readNow", path+"/read", nil))
	} else if k.IsActive() {
		page.Facts = append(page.Facts, Fact{"Reading now", Values{
			"Not possible: " + refusal.Detail, At{refusal.NextRefreshPossibleAt, now},
		}})
	}
	forms = append(forms, *formOf("makeLink", path+"/link", nil))
	page.More = forms
}

// mended returns the ID and the user of the connection in the address. ctx has the user's time.
func (c *Console) mended(call *Call) (ctx context.Context, id string, user owner.User, err error) {
	ctx, id = call.Context(), strings.ToLower(call.PathValue("connectionId"))
	u, err := c.ownerOf(call, id, c.Connections.ConnectionOwner)
	if err != nil || !c.simulates() {
		return ctx, id, u.Owner, err
	}
	k, err := c.Clocks.Get(ctx, u.Owner)
	return clock.With(ctx, k.Setting), id, u.Owner, err
}

func (c *Console) readNow(call *Call) (Answer, error) {
	ctx, id, user, err := c.mended(call)
	if err != nil {
		return nil, err
	}
	if _, err := c.Connecting.Refresh(ctx, user, id, connection.Visitor{}, nil); err != nil {
		return nil, err
	}
	return Redirect{connectionsPath + "/" + id, "The read has begun. Reload this page in a few seconds."}, nil
}

// makeLink shows a new link, which is not stored.
func (c *Console) makeLink(call *Call) (Answer, error) {
	ctx, id, user, err := c.mended(call)
	if err != nil {
		return nil, err
	}
	k, err := c.Connecting.Reconnect(ctx, user, id, "", nil)
	if err != nil {
		return nil, err
	}
	page := pageOf("newLink")
	page.Crumbs = append(slices.Clip(page.Crumbs), Link{connectionsPath + "/" + id, k.ProviderName})
	page.Links = []Link{{connectionsPath + "/" + id, "I have copied it"}}
	page.Blocks = []Block{{"The link", k.LinkAddress(c.origin(call.Request))}}
	page.Facts = Facts{{"Works until", At{k.Authorisation.ExpiresAt, clock.Now(ctx, c.Now)}}, {"Leads back to", Code(k.ReturnURL)}}
	return page, nil
}
