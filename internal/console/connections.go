package console

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
)

const (
	connectionsPath = Path + "/connections"
	// maxOfUser is far more than the connections or accounts of any user.
	maxOfUser = 200
)

// ConnectionReader reads what users have connected. Connection returns outcome.ErrNotFound if the user has
// no connection with this ID, and ConnectionOwner if nobody has.
type ConnectionReader interface {
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	Connection(ctx context.Context, user owner.User, id string) (connection.Connection, error)
	Connections(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []connection.Connection, next string, err error)
	AccountViews(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []connection.AccountView, next string, err error)
	// Aggregates returns the user's sums at a level.
	Aggregates(
		ctx context.Context, user owner.User, level transaction.Level, fromMonth, toMonth string,
	) ([]transaction.Aggregate, error)
}

func (c *Console) findConnections(call *Call) (Answer, error) {
	page := pageOf("connections")
	page.Find = formOf("findConnection", connectionsPath, call.URL.Query())
	return c.find(call, page, search{
		owner: c.Connections.ConnectionOwner, unknown: "unknownConnection", none: "noConnection",
		list: c.listConnections,
		all: recent{
			filter: "filterConnections",
			fits:   hasEntered(feed.CountConnections), about: subject, row: c.connectionRow,
		},
	})
}

// consentLost are the states that only the user can resolve.
const consentLost = "ActionRequired,Expired,Revoked"

// connectionRow is the row of the connection in an event.
func (c *Console) connectionRow(call *Call, e feed.Event) ([]any, error) {
	id := subject(e)
	user, err := c.nameOf(call, e.User)
	if err != nil {
		return nil, err
	}
	happened := Link{eventsPath + "/" + e.ID, storyOf(e.Type).Means}
	row := []any{Code(id), Badge{Neutral, "Deleted"}, happened, e.SeenAt.Time(), user}
	k, _, err := c.connection(call, owner.User{Partner: call.Partner(), ID: e.User}, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return row, nil
	}
	row[0] = Link{connectionsPath + "/" + url.PathEscape(id), k.ProviderName}
	row[1] = stateOf(connectionBadge(k), string(k.Reason))
	return row, err
}

// connection returns a connection and its user's time.
func (c *Console) connection(call *Call, user owner.User, id string) (connection.Connection, time.Time, error) {
	k, err := c.Connections.Connection(call.Context(), user, id)
	if err != nil {
		return k, time.Time{}, err
	}
	now, err := c.timeOf(call, user)
	return k.At(now), now, err
}

func (c *Console) listConnections(call *Call, u identity.User, list *Table) error {
	now, err := c.timeOf(call, u.Owner)
	if err != nil {
		return err
	}
	found, more, err := c.Connections.Connections(call.Context(), u.Owner, maxOfUser, "")
	if err != nil {
		return fmt.Errorf("read connections: %w", err)
	}
	if more != "" {
		list.Caption = fmt.Sprintf("%d of the user's connections. Find any other one by its ID.", maxOfUser)
	}
	list.Columns = tableOf("connections").Columns
	for _, k := range found {
		k = k.At(now)
		list.Rows = append(list.Rows, []any{
			Values{Link{connectionsPath + "/" + url.PathEscape(k.ID), k.ProviderName}, Code(k.ID)},
			stateOf(connectionBadge(k), string(k.Reason)), At{k.LastSuccessAt, now}, At{k.ConsentExpiresAt, now},
		})
	}
	return nil
}

func (c *Console) showConnection(call *Call) (Answer, error) {
	id := strings.ToLower(call.PathValue("connectionId"))
	u, err := c.ownerOf(call, id, c.Connections.ConnectionOwner)
	if err != nil {
		return nil, err
	}
	k, now, err := c.connection(call, u.Owner, id)
	if err != nil {
		return nil, err
	}
	accounts, _, err := c.Connections.AccountViews(call.Context(), u.Owner, maxOfUser, "")
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	page := pageOf("connection")
	page.Advice, page.Facts = connectionAdvice(k), connectionFacts(k, u, accountsInWords(k.ID, accounts), now)
	page.List.Rows = pastOf(k, now)
	page.Title, page.Badge = k.ProviderName, new(connectionBadge(k))
	addMends(call, &page, k, now)
	ofUser := Link{connectionsPath + "?find=" + string(u.Owner.ID), "This user's"}
	page.Crumbs = append(slices.Clip(page.Crumbs), ofUser)
	return page, nil
}

func connectionFacts(k connection.Connection, u identity.User, accounts string, now time.Time) Facts {
	facts := Facts{
		{"Connection ID", Code(k.ID)},
		{"User", userLink(u)},
		{"Bank", Values{k.ProviderName, Code(k.ProviderID)}},
		{"In the API", stateOf(Badge{Neutral, string(k.Status)}, string(k.Reason))},
		{"Accounts", accounts},
		{"Last success", At{k.LastSuccessAt, now}},
		{"Next automatic read", nextRead(k, now)},
	}
	if k.Partial.IsPartial() {
		facts = append(facts, Fact{"Could not be read", counted(k.Partial.Rows, "transaction") + ", and of " +
			counted(k.Partial.Accounts, "account") + " balance or transactions"})
	}
	if until := k.Partial.Until; !until.IsZero() {
		facts = append(facts, Fact{"Bank's limit ends", At{until, now}})
	}
	facts = append(facts, refusalFacts(k.Refusal, now)...)
	if k.Authorisation != nil {
		facts = append(facts, Fact{"Link ends", At{k.Authorisation.ExpiresAt, now}})
	}
	return append(facts, Fact{consentLabel(k, now), At{k.ConsentExpiresAt, now}})
}

// refusalFacts are what the bank answered, and by which it can find the call.
func refusalFacts(r *connection.Refusal, now time.Time) Facts {
	if r == nil {
		return nil
	}
	answer := Values{Badge{Bad, "No answer"}}
	if r.Status != 0 {
		answer[0] = statusBadge(r.Status)
	}
	if r.Code != "" {
		answer = append(answer, Code(r.Code))
	}
	return Facts{
		{"The bank's answer", append(answer, At{r.At, now})}, {"To our call", r.Operation}, {"The bank's message", r.Message},
		{"X-Request-ID of the call", Code(r.RequestID)},
	}
}

func consentLabel(k connection.Connection, now time.Time) string {
	if k.ConsentExpiresAt.Before(now) && !k.ConsentExpiresAt.IsZero() {
		return "Consent ended"
	}
	return "Consent ends"
}

func nextRead(k connection.Connection, now time.Time) any {
	switch next := k.NextRefreshAt(); {
	case !k.IsActive():
		return "None: only Active connections are read"
	case !k.SyncRequestedAt.IsZero():
		return "One is under way"
	case !k.AutomaticFetch:
		return "None: this bank is read when your server asks for it"
	default:
		return At{next, now}
	}
}

// accountsInWords counts a connection's accounts by type.
func accountsInWords(connectionID string, all []connection.AccountView) string {
	count := map[pfm.AccountType]int{}
	var types []pfm.AccountType
	for _, a := range all {
		if a.Account.ConnectionID != connectionID {
			continue
		}
		if count[a.Account.Type] == 0 {
			types = append(types, a.Account.Type)
		}
		count[a.Account.Type]++
	}
	if len(types) == 0 {
		return "None"
	}
	slices.Sort(types)
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = counted(count[t], strings.ToLower(spaced(string(t))))
	}
	return strings.Join(words, ", ")
}

func counted(n int, what string) string { return countOf(n, what, what+"s") }

// pastOf lists the stored events of a connection, newest first.
func pastOf(k connection.Connection, now time.Time) (rows [][]any) {
	type event struct {
		at   time.Time
		what string
	}
	all := []event{
		{k.CreatedAt, "Created"},
		{k.AuthorisedAt, "The user authorised the consent at the bank"},
		{k.LastSuccessAt, "All accounts were read"},
		{k.SyncRequestedAt, "A read of the bank began"},
		{k.ConsentExpiresAt, "The consent ended"},
	}
	if !k.SyncEndedAt.Equal(k.LastSuccessAt) {
		all = append(all, event{k.SyncEndedAt, "The last read of the bank ended without success"})
	}
	if !slices.ContainsFunc(all, func(e event) bool { return e.at.Equal(k.UpdatedAt) }) {
		all = append(all, event{k.UpdatedAt, "Last change"})
	}
	all = slices.DeleteFunc(all, func(e event) bool { return e.at.IsZero() || e.at.After(now) })
	slices.SortStableFunc(all, func(a, b event) int { return b.at.Compare(a.at) })
	for _, e := range all {
		rows = append(rows, []any{At{e.at, now}, e.what})
	}
	return rows
}
