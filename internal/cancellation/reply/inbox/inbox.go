package inbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/reply"
	"aviso/internal/clock"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// MaxKept is the size up to which a mail is kept as received. Of a larger one its text and digest are.
const MaxKept = 4 << 20

// Store stores answers. Its methods return outcome.ErrNotFound for missing rows.
type Store interface {
	// ByReplyToken returns the cancellation that an address belongs to.
	ByReplyToken(ctx context.Context, token string) (user owner.User, cancellationID string, err error)
	// Cancellation returns one of the user's cancellations.
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	// Replies returns the answers to a cancellation in no order.
	Replies(ctx context.Context, user owner.User, cancellationID string) ([]reply.Reply, error)
	// SaveReply stores an answer, and raw if it is not empty. Storing it again changes nothing.
	SaveReply(ctx context.Context, user owner.User, cancellationID string, r reply.Reply, raw []byte) error
}

// Feedback records answers in the history of cancellations.
type Feedback interface {
	Answer(ctx context.Context, user owner.User, id string, a dispatch.Answer) error
}

// Inbox receives answers.
type Inbox struct {
	Store    Store
	Feedback Feedback
	Clocks   clock.Users
	Now      func() time.Time
	// Domain is that of reply addresses.
	Domain string
}

// Delivery is a mail as the mail server passes it on.
type Delivery struct {
	// To are the addresses that the server accepted it for.
	To  []string
	Raw []byte
	// Verdicts are what the server found out.
	Verdicts
}

// Verdicts are PASS, FAIL, GRAY or PROCESSING_FAILED, as SES says it, and empty if unknown.
type Verdicts struct{ Spam, Virus, SPF, DKIM, DMARC string }

func (v Verdicts) String() string {
	var all []string
	for _, p := range [][2]string{{"spf", v.SPF}, {"dkim", v.DKIM}, {"dmarc", v.DMARC}} {
		if p[1] != "" {
			all = append(all, p[0]+"="+strings.ToLower(p[1]))
		}
	}
	return strings.Join(all, " ")
}

const failed = "FAIL"

// maxDaily bounds the answers to one cancellation within a day.
const maxDaily = 50

// Receive reads a mail and records it with each cancellation that it is addressed to. Mail that nobody waits for is
// dropped and counted. It returns *outcome.Later while a letter is still on its way.
func (b *Inbox) Receive(ctx context.Context, d Delivery) error {
	if why := b.refuses(d); why != "" {
		b.drop(ctx, why)
		return nil
	}
	m, err := Parse(d.Raw)
	if errors.Is(err, ErrNoMail) {
		b.drop(ctx, "Unreadable")
		return nil
	}
	if strings.HasSuffix(strings.ToLower(m.Sender), "@"+b.Domain) { // a loop
		b.drop(ctx, "Loop")
		return nil
	}
	var tokens []string
	for _, to := range d.To {
		if _, domain, _ := strings.Cut(to, "@"); strings.EqualFold(domain, b.Domain) {
			tokens = append(tokens, reply.Token(to))
		}
	}
	slices.Sort(tokens)
	if len(tokens) == 0 {
		b.drop(ctx, "UnknownAddress")
	}
	for _, token := range slices.Compact(tokens) {
		err = errors.Join(err, b.receive(ctx, token, m, d))
	}
	return err
}

// refuses returns why a mail is not read at all.
func (b *Inbox) refuses(d Delivery) string {
	switch {
	case len(d.Raw) > MaxMail:
		return "TooLarge"
	case d.Virus == failed:
		return "Virus"
	case d.Spam == failed:
		return "Spam"
	}
	return ""
}

func (b *Inbox) receive(ctx context.Context, token string, m Mail, d Delivery) error {
	user, id, err := b.Store.ByReplyToken(ctx, token)
	if token == "" || errors.Is(err, outcome.ErrNotFound) { // nobody's, or erased
		b.drop(ctx, "UnknownAddress")
		return nil
	}
	if err != nil {
		return fmt.Errorf("find cancellation: %w", err)
	}
	if ctx, err = clock.For(ctx, b.Clocks, user); err != nil {
		return err
	}
	c, err := b.Store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		b.drop(ctx, "UnknownAddress")
		return nil
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	if c.Status.Waiting() {
		return &outcome.Later{After: 5 * time.Second, Err: errors.New("the letter is on its way"), Normal: true}
	}
	now := clock.Now(ctx, b.Now).UTC()
	digest := evidence.Of(d.Raw)
	replyID := uuid.NewSHA1(uuid.NameSpaceURL, []byte(id+digest.String())).String()
	all, err := b.Store.Replies(ctx, user, id)
	if err != nil {
		return fmt.Errorf("read replies: %w", err)
	}
	r := reply.Reply{ID: replyID, ReceivedAt: now}
	if i := slices.IndexFunc(all, func(r reply.Reply) bool { return r.ID == replyID }); i >= 0 {
		r = all[i] // the mail came before, but its effect may be missing
	} else {
		today := func(r reply.Reply) bool { return now.Sub(r.ReceivedAt) < 24*time.Hour }
		if len(slices.DeleteFunc(all, func(r reply.Reply) bool { return !today(r) })) >= maxDaily {
			b.drop(ctx, "TooMany")
			return nil
		}
		r = b.read(r, m, d, digest)
		raw := d.Raw
		if len(raw) > MaxKept {
			raw = nil
		}
		if err := b.Store.SaveReply(ctx, user, id, r, raw); err != nil {
			return fmt.Errorf("save reply: %w", err)
		}
	}
	if err := b.Feedback.Answer(ctx, user, id, answerOf(r)); err != nil {
		return err
	}
	slog.InfoContext(ctx, "reply received", "cancellation", id, "reply", r.ID, "kind", string(r.Kind), "rule", r.Rule)
	return nil
}

// read fills in what a mail says.
func (b *Inbox) read(r reply.Reply, m Mail, d Delivery, digest evidence.Digest) reply.Reply {
	m.ReceivedAt = r.ReceivedAt
	r.Reading = Read(m)
	if d.DMARC == failed { // the sender is forged
		r.Confidence = 0
	}
	r.From, r.Sender, r.Subject, r.MessageID, r.Text = m.From, m.Sender, m.Subject, m.MessageID, m.Text
	r.Attachments, r.Authentication, r.Digest, r.Size = m.Attachments, d.String(), digest, len(d.Raw)
	const row = 100 << 10 // leaves room in a row of 400 KB
	if len(r.Text) > row {
		r.Text = strings.ToValidUTF8(r.Text[:row], "")
	}
	return r
}

// answerOf returns what the history gets.
func answerOf(r reply.Reply) dispatch.Answer {
	a := dispatch.Answer{
		By: evidence.ActorOrganization,
		Proofs: []evidence.Proof{
			{Kind: evidence.ProofDocument, SHA256: &r.Digest},
			{Kind: evidence.ProofAuthentication, Value: r.Authentication},
			{Kind: evidence.ProofRule, Value: r.Rule},
		},
		Event: &cancellation.RepliedEventData{
			ReplyID: r.ID, Kind: string(r.Kind), EndDate: string(r.EndDate), NeededFields: append([]string{}, r.NeededFields...),
		},
	}
	if r.Confidence >= reply.Sure {
		switch r.Kind {
		case reply.KindConfirmed:
			a.Status, a.EndDate = cancellation.StatusConfirmed, r.EndDate
		case reply.KindRejected:
			a.Status, a.Reason = cancellation.StatusRejected, r.Reason
		default:
		}
	}
	return a
}

// drop counts a mail that is not read.
func (b *Inbox) drop(ctx context.Context, why string) {
	slog.LogAttrs(ctx, slog.LevelInfo, "mail dropped",
		slog.String("reason", why), slog.Int(string(observe.MailsDropped), 1),
		observe.EMF(b.Now(), observe.MailsDropped))
}
