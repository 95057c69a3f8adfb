package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/request"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// CancellationReader reads users' cancellations. Cancellation and Letter return outcome.ErrNotFound if the user
// has no cancellation with this ID, and CancellationOwner if nobody has.
type CancellationReader interface {
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	Cancellations(
		ctx context.Context, user owner.User, f request.Filter, limit int, position string,
	) (page []cancellation.Cancellation, next string, err error)
	Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error)
	// Replies returns the organization's answers in no order.
	Replies(ctx context.Context, user owner.User, id string) ([]reply.Reply, error)
}

const (
	cancellationsPath = Path + "/cancellations"
	cancellationsPage = 25
)

func (c *Console) findCancellations(call *Call) (Answer, error) {
	page := pageOf("cancellations")
	page.Find = formOf("findCancellation", cancellationsPath, call.URL.Query())
	return c.find(call, page, search{
		owner: c.Cancellations.CancellationOwner, unknown: "unknownCancellation", none: "noCancellation",
		list: c.listCancellations,
		all: recent{
			filter: "filterCancellations",
			fits:   hasEntered(feed.CountLetters), about: subject, row: c.letterRow,
		},
	})
}

// letterRow is the row of the cancellation in an event.
func (c *Console) letterRow(call *Call, e feed.Event) ([]any, error) {
	id := subject(e)
	user, err := c.nameOf(call, e.User)
	if err != nil {
		return nil, err
	}
	row := []any{cancellationLink(id), nil, Link{eventsPath + "/" + e.ID, storyOf(e.Type).Means}, e.SeenAt.Time(), user}
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

func (c *Console) listCancellations(call *Call, u identity.User, list *Table) error {
	before, external := asked(call, "before"), asked(call, "external")
	if before != "" && uuid.Validate(before) != nil {
		return outcome.ErrNotFound
	}
	now, err := c.timeOf(call, u.Owner)
	if err != nil {
		return err
	}
	filter := request.Filter{ExternalID: external}
	found, next, err := c.Cancellations.Cancellations(call.Context(), u.Owner, filter, cancellationsPage, before)
	if err != nil {
		return fmt.Errorf("read cancellations: %w", err)
	}
	list.Columns = tableOf("cancellations").Columns
	list.Rows, err = ofEach(found, func(k cancellation.Cancellation) ([]any, error) {
		link, err := c.productLink(call, k)
		return []any{
			Values{link, Code(k.ID)}, stateOf(cancellationBadge(k), string(k.Reason)), At{k.CreatedAt, now},
			Code(k.ExternalID),
		}, err
	})
	query := url.Values{"find": {string(u.Owner.ID)}, "external": {external}, "before": {before}}
	list.Pages = pagesOf(cancellationsPath, query, next)
	return err
}

// productLink links to a cancellation by its organization and product.
func (c *Console) productLink(call *Call, k cancellation.Cancellation) (Link, error) {
	name, err := c.productName(call, k)
	return Link{cancellationsPath + "/" + url.PathEscape(k.ID), name.First + ", " + name.Second}, err
}

// productName returns the names of organization and product, or their IDs if the catalogue no longer has them.
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
	page := pageOf("cancellation")
	page.Title, page.Badge = "Cancellation with "+product.First, new(cancellationBadge(k))
	switch {
	case k.Objects != nil && k.Objects.ReplyID != "":
		page.Title = "Answer to " + product.First
	case k.Objects != nil:
		page.Title = "Objection to debits of " + product.First
	}
	replies, err := c.Cancellations.Replies(call.Context(), u.Owner, k.ID)
	if err != nil {
		return nil, fmt.Errorf("read replies: %w", err)
	}
	page.Advice, page.Facts = cancellationAdvice(k), cancellationFacts(k, u, product, now)
	page.List.Rows = append(historyOf(k, now), thread(replies, now, call.Session.Role >= Admin)...)
	slices.SortStableFunc(page.List.Rows, func(a, b []any) int { return whenOf(b).Compare(whenOf(a)) })
	if call.Session.Role >= Admin {
		page.Links = []Link{{cancellationsPath + "/" + url.PathEscape(k.ID) + "/letter", "Open the letter (PDF)"}}
	}
	ofUser := Link{cancellationsPath + "?find=" + string(u.Owner.ID), "This user's"}
	page.Crumbs = append(slices.Clip(page.Crumbs), ofUser)
	return page, nil
}

// cancellation returns the cancellation in the address, and its user.
func (c *Console) cancellation(call *Call) (cancellation.Cancellation, identity.User, error) {
	id := strings.ToLower(call.PathValue("cancellationId"))
	u, err := c.ownerOf(call, id, c.Cancellations.CancellationOwner)
	if err != nil {
		return cancellation.Cancellation{}, u, err
	}
	k, err := c.Cancellations.Cancellation(call.Context(), u.Owner, id)
	return k, u, err
}

func cancellationFacts(k cancellation.Cancellation, u identity.User, product Pair, now time.Time) Facts {
	facts := Facts{{"Cancellation ID", Code(k.ID)}}
	if k.Objects != nil {
		facts = Facts{{"Objection ID", Code(k.ID)}, {"Cancellation", cancellationLink(k.Objects.CancellationID)}}
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
			Fact{"Tries by this channel", k.Delivery.Tries}, Fact{"Next try, at the latest", At{k.NextTryAt, now}})
	}
	return append(facts, Fact{"SHA-256 of the letter", Code(k.LetterSHA256)})
}

// cancellationLink links to a cancellation or an objection.
func cancellationLink(id string) Link { return Link{cancellationsPath + "/" + url.PathEscape(id), id} }

// outcomeOf is the outcome that the user's bank account shows.
func outcomeOf(k cancellation.Cancellation) Values {
	outcome, reason := k.Outcome()
	return stateOf(badgeOf("debits", string(outcome)), string(reason))
}

// channelsOf marks the current channel. The next channel is used only if the one before fails.
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

func historyOf(k cancellation.Cancellation, now time.Time) (rows [][]any) {
	steps := k.Steps()
	for i, step := range slices.Backward(steps) {
		again := slices.ContainsFunc(steps[:i], func(s cancellation.Step) bool { return s.Status == step.Status })
		words := stepInWords(step.Status, again)
		if step.Delay != nil {
			words += " The letter was late (" + step.Delay.Reason + "), and the carrier went on trying."
			step.Said = cmp.Or(step.Said, step.Delay.Said)
		}
		what := Values{words}
		if step.Said != "" {
			what = append(what, "The recipient's mail server said:", Code(step.Said))
		}
		rows = append(rows, []any{At{step.At, now}, string(step.Status), what})
	}
	return rows
}

// whenOf returns the time in a row of the history.
func whenOf(row []any) time.Time {
	at, _ := row[0].(At)
	return at.Time
}

// thread describes the organization's answers, and ours. Who may open the letter sees what they say, too.
func thread(replies []reply.Reply, now time.Time, all bool) (rows [][]any) {
	for _, r := range replies {
		what := Values{"The organization's mail was read as " + string(r.Kind) + " by the rule", Code(r.Rule)}
		if len(r.NeededFields) > 0 {
			what = append(what, "It asks for "+strings.Join(r.NeededFields, ", ")+".")
		}
		if all {
			what = append(what, r.From+": "+r.Subject, r.Excerpt)
		}
		rows = append(rows, []any{At{r.ReceivedAt, now}, "Reply", what})
		if !r.AnsweredAt.IsZero() {
			answer := Values{"The user answered.", cancellationLink(r.AnswerID)}
			rows = append(rows, []any{At{r.AnsweredAt, now}, "Answer", answer})
		}
	}
	return rows
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
