package console

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/console/feed"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
)

// Cancellations reads cancellations. Its methods are those of cancellation.Store.
type Cancellations interface {
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	Cancellations(
		ctx context.Context, user owner.User, f cancellation.Filter, limit int, position string,
	) (page []cancellation.Cancellation, next string, err error)
	Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error)
}

const (
	cancellationsPath = Path + "/cancellations"
	cancellationsPage = 25
)

func (c *Console) findCancellations(call *Call) (Answer, error) {
	external := asked(call, "external")
	data := listPage{
		Find: finder(call, cancellationsPath, "find", "Cancellation or user", "A cancellation ID, a user ID, or your own ID for the user."),
		List: tableOf("cancellations"),
	}
	data.Find.Fields = append(data.Find.Fields, Field{
		Name: "external", Label: "Your identifier (optional)", Value: external,
		Hint: "It is unique per user, so enter the user, too.",
	})
	return c.find(call, pageOf("cancellations", &data), &data, search{
		what: "cancellation", owner: c.Cancellations.CancellationOwner,
		none: emptyOf("noCancellation"),
		list: func(call *Call, u identity.User, list *Table) error {
			return c.listCancellations(call, u, external, list)
		},
		all: recent{
			path: cancellationsPath, columns: tableOf("changesOfCancellations").Columns,
			choice: stateChoice(
				Option{"DeliveryFailed", "Delivery failed"}, Option{"Rejected", "Rejected"}, Option{"Created", "Created"},
				Option{"Queued", "Queued"}, Option{"Sent", "Sent"}, Option{"Delivered", "Delivered"},
				Option{"Confirmed", "Confirmed"}, Option{"Withdrawn", "Withdrawn"}),
			fits: func(e feed.Event, chosen string) bool {
				_, state := feed.Entered(e.Type)
				return isOneOf(state, chosen)
			},
			about: subject, row: c.letterRow,
		},
	})
}

// letterRow is the row of a cancellation to which something happened.
func (c *Console) letterRow(call *Call, e feed.Event) ([]any, error) {
	id := subject(e)
	user, err := c.nameOf(call, e.User)
	if err != nil {
		return nil, err
	}
	row := []any{cancellationLink(id), nil, Link{eventsPath + "/" + e.ID, storyOf(e.Type).What}, e.SeenAt.Time(), user}
	k, err := c.Cancellations.Cancellation(call.Context(), owner.User{Partner: call.Partner(), ID: e.User}, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return row, nil
	}
	if err != nil {
		return nil, err
	}
	row[0], err = c.productLink(call, k)
	row[1] = stateOf(cancellationBadge(k), string(k.Reason))
	return row, err
}

func (c *Console) listCancellations(call *Call, u identity.User, external string, list *Table) error {
	before := asked(call, "before")
	if before != "" && uuid.Validate(before) != nil {
		return outcome.ErrNotFound
	}
	now, err := c.timeOf(call, u.Owner)
	if err != nil {
		return err
	}
	filter := cancellation.Filter{ExternalID: external}
	found, next, err := c.Cancellations.Cancellations(call.Context(), u.Owner, filter, cancellationsPage, before)
	if err != nil {
		return fmt.Errorf("read cancellations: %w", err)
	}
	list.Rows, err = ofEach(found, func(k cancellation.Cancellation) ([]any, error) {
		link, err := c.productLink(call, k)
		return []any{
			Values{link, Code(k.ID)}, stateOf(cancellationBadge(k), string(k.Reason)), Moment{k.CreatedAt, now},
			Code(k.ExternalID),
		}, err
	})
	if err != nil {
		return err
	}
	query := url.Values{"find": {string(u.Owner.ID)}, "external": {external}}
	list.Pages = pagesOf(cancellationsPath, query, before != "", next)
	return nil
}

// productLink leads to a cancellation by what it is about.
func (c *Console) productLink(call *Call, k cancellation.Cancellation) (Link, error) {
	name, err := c.productName(call, k)
	return Link{cancellationsPath + "/" + url.PathEscape(k.ID), name.First + ", " + name.Second}, err
}

// productName returns the names of organization and product, or the IDs if the catalogue has
// them no longer.
func (c *Console) productName(call *Call, k cancellation.Cancellation) (Pair, error) {
	o, p, err := c.Product(call.Context(), k.OrganizationID, k.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Pair{k.OrganizationID, k.ProductID}, nil
	}
	if err != nil {
		return Pair{}, fmt.Errorf("read product: %w", err)
	}
	return Pair{o.Name, p.Name}, nil
}

// cancellationPage is the page of one cancellation.
type cancellationPage struct {
	Advice  Advice
	Facts   []Fact
	History Table
	// Letter leads to the letter. It is empty for those who may not see it.
	Letter string
}

func (c *Console) showCancellation(call *Call) (Answer, error) {
	k, u, err := c.cancellation(call)
	if err != nil {
		return nil, err
	}
	now, err := c.timeOf(call, u.Owner)
	if err != nil {
		return nil, err
	}
	product, err := c.productName(call, k)
	if err != nil {
		return nil, err
	}
	data := cancellationPage{
		Advice: cancellationAdvice(k), Facts: cancellationFacts(k, u, product, now), History: historyOf(k, now),
	}
	if call.Session.Role >= Admin {
		data.Letter = cancellationsPath + "/" + url.PathEscape(k.ID) + "/letter"
	}
	title := "Cancellation with "
	if k.Objects != nil {
		title = "Objection to debits of "
	}
	page := pageOf("cancellation", data)
	page.Title, page.Badge = title+product.First, new(cancellationBadge(k))
	ofUser := Link{cancellationsPath + "?find=" + string(u.Owner.ID), "This user's"}
	page.Crumbs = append(slices.Clip(page.Crumbs), ofUser)
	return page, nil
}

// cancellation returns the one that the address names, and its user.
func (c *Console) cancellation(call *Call) (cancellation.Cancellation, identity.User, error) {
	id := strings.ToLower(call.PathValue("cancellationId"))
	u, err := c.ownerOf(call, id, c.Cancellations.CancellationOwner)
	if err != nil {
		return cancellation.Cancellation{}, u, err
	}
	k, err := c.Cancellations.Cancellation(call.Context(), u.Owner, id)
	return k, u, err
}

func cancellationFacts(k cancellation.Cancellation, u identity.User, product Pair, now time.Time) []Fact {
	facts := []Fact{{"Cancellation ID", Code(k.ID)}}
	if k.Objects != nil {
		facts = []Fact{{"Objection ID", Code(k.ID)}, {"Cancellation", cancellationLink(k.Objects.CancellationID)}}
	}
	facts = append(facts,
		Fact{"Your identifier", Code(k.ExternalID)},
		Fact{"User", userLink(u)},
		Fact{"Organization", product},
		Fact{"In the API", stateOf(Badge{Neutral, string(k.Status.Shown())}, string(k.Reason))})
	if k.Objects == nil {
		facts = append(facts, Fact{"Debits", outcomeOf(k)}, Fact{"Last day of the contract", string(k.EndDate)})
	}
	if len(k.Objections) > 0 {
		var objections Values
		for _, o := range k.Objections {
			objections = append(objections, cancellationLink(o.ID))
		}
		facts = append(facts, Fact{"Objections to debits", objections})
	}
	facts = append(facts, Fact{"Channels", channelsOf(k)}, Fact{"Tracking number", Code(k.TrackingNumber)})
	if k.Status.Waiting() {
		facts = append(facts,
			Fact{"Tries by this channel", k.Delivery.Tries}, Fact{"Next try, at the latest", Moment{k.NextTryAt, now}})
	}
	return append(facts, Fact{"SHA-256 of the letter", Code(k.LetterSHA256)})
}

// cancellationLink leads to a cancellation or an objection.
func cancellationLink(id string) Link { return Link{cancellationsPath + "/" + url.PathEscape(id), id} }

// outcomeOf is what the user's account shows.
func outcomeOf(k cancellation.Cancellation) Values {
	tones := map[cancellation.Outcome]Tone{
		cancellation.OutcomeEnded: Good, cancellation.OutcomeStillDebited: Bad, cancellation.OutcomeWaiting: Waiting,
	}
	outcome, reason := k.Outcome()
	tone, known := tones[outcome]
	if !known {
		tone = Neutral
	}
	return stateOf(Badge{tone, string(outcome)}, string(reason))
}

// channelsOf says which channel has its turn. A next one is used only if the one before fails.
func channelsOf(k cancellation.Cancellation) Values {
	var values Values
	for i, channel := range k.Channels {
		badge := Badge{Neutral, channelInWords(channel.Kind)}
		switch {
		case i < k.ChannelIndex || i == k.ChannelIndex && k.Status == cancellation.StatusDeliveryFailed:
			badge = Badge{Bad, badge.Text + ": failed"}
		case i > k.ChannelIndex:
			badge.Text += ": if that fails"
		case k.Status.Waiting():
			badge = Badge{Waiting, badge.Text + ": its turn"}
		case k.Status != cancellation.StatusWithdrawn:
			badge = Badge{Good, badge.Text + ": sent"}
		}
		values = append(values, badge)
	}
	return values
}

func historyOf(k cancellation.Cancellation, now time.Time) Table {
	table := tableOf("history")
	steps := k.Steps()
	for i, step := range slices.Backward(steps) {
		again := slices.ContainsFunc(steps[:i], func(s cancellation.Step) bool { return s.Status == step.Status })
		table.Rows = append(table.Rows, []any{Moment{step.At, now}, string(step.Status), stepInWords(step.Status, again)})
	}
	return table
}

func (c *Console) showLetter(call *Call) (Answer, error) {
	k, u, err := c.cancellation(call)
	if err != nil {
		return nil, err
	}
	letter, err := c.Cancellations.Letter(call.Context(), u.Owner, k.ID)
	if err != nil {
		return nil, err
	}
	return File{Type: "application/pdf", Content: letter.PDF, Name: "letter-" + k.ID + ".pdf"}, nil
}
