package crashpoints

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/localstack/tests/cancellationtest"
)

// letterScenarios are the ways of a letter: one for each channel, and by e-mail also when
// SES reports nothing. A letter of objection goes by e-mail and on paper.
func letterScenarios() []scenario {
	var all []scenario
	for _, kind := range []cancellation.ChannelKind{
		cancellation.ChannelEmail, cancellation.ChannelFax, cancellation.ChannelMail, cancellation.ChannelRegisteredMail,
	} {
		all = append(all, scenario{
			name: "a letter by " + string(kind), prepare: func(w *world) {
				w.createUser()
				w.createLetter(kind)
			},
			begin: func(*world) {}, done: lettersLeft, check: exactlyOneLetter,
		})
	}
	for _, kind := range []cancellation.ChannelKind{cancellation.ChannelEmail, cancellation.ChannelMail} {
		all = append(all, scenario{
			name: "a letter of objection by " + string(kind), prepare: func(w *world) {
				w.createUser()
				w.createObjection(kind)
			},
			begin: func(*world) {}, done: lettersLeft, check: exactlyOneLetter,
		})
	}
	all = append(all, scenario{
		name: "an outcome", prepare: func(w *world) {
			w.createUser()
			w.handOver(w.createLetter(cancellation.ChannelEmail))
		},
		begin: func(w *world) { w.reportDebit(w.cancellations()[0].ID) }, done: lettersLeft, check: exactlyOneOutcome,
	})
	return append(all, scenario{
		name: "a letter by e-mail of which SES reports nothing",
		prepare: func(w *world) {
			w.createUser()
			w.createLetter(cancellation.ChannelEmail)
		},
		begin: func(w *world) { w.silent = true }, done: lettersLeft, check: oneMailForEachUnclearTry,
	})
}

// createLetter accepts a cancellation that goes by this channel only.
func (w *world) createLetter(kind cancellation.ChannelKind) cancellation.Cancellation {
	c, _, err := w.requests(kind).Create(context.Background(), user(), cancellationtest.Request(string(kind)), nil)
	must(err)
	return c
}

// requests returns the service for a product of this channel only.
func (w *world) requests(kind cancellation.ChannelKind) *request.Requests {
	products := cancellationtest.Products{}
	for _, p := range cancellationtest.NewProducts() {
		for _, c := range p.Channels {
			if c.Kind == kind {
				p.Channels, p.Form = []cancellation.Channel{c}, catalogue.FormText
				p.Slug, p.Terms = string(kind), nil
				p.OrganizationID, p.ID = catalogue.OrganizationID(p.Slug), catalogue.ProductID(p.Slug, "contract")
				products[p.ID] = p
			}
		}
	}
	return &request.Requests{
		Store: w.letterStore, Product: products.OrganizationProduct, Gate: cancellationtest.Gate{},
		Writer: shortLetters{t: w.t}, Now: w.clock, NewID: w.newID, Enabled: []cancellation.ChannelKind{kind},
	}
}

// handOver lets a letter leave, so that nothing is left to do.
func (w *world) handOver(c cancellation.Cancellation) {
	ctx, taken := context.Background(), &cancellationtest.Carrier{}
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{c.Channel().Kind: taken}
	must((&dispatch.Dispatcher{Store: w.letterStore, Carriers: carriers, Now: w.clock, NewID: w.newID}).Send(ctx, c.Owner, c.ID))
	w.emptyOutbox()
}

func (w *world) emptyOutbox() {
	for _, row := range w.rows("OutboxTable") {
		must(dynamo.NewTable(w.dynamo, w.tables["OutboxTable"]).Delete(
			context.Background(), dynamo.Key{PK: dynamo.Text(row, "pk")}))
	}
}

// debit is what bank-sync reports about a cancelled contract.
func debit() cancellation.OutcomeReport {
	return cancellation.OutcomeReport{
		Number: 1, Outcome: cancellation.OutcomeStillDebited, Reason: "DebitAfterEnd", End: "2026-03-31",
		Debits: []cancellation.Debit{{TransactionID: "t", Date: "2026-04-04", Amount: "-13.99", Currency: "EUR"}},
	}
}

// reportDebit puts a message of bank-sync into the outbox.
func (w *world) reportDebit(id string) {
	report := debit()
	var x dynamo.Transaction
	ctx := context.Background()
	outbox.Put(ctx, &x, outbox.Box{Table: dynamo.NewTable(w.dynamo, w.tables["OutboxTable"])}, outbox.Message{
		ID: w.newID(), Queue: outbox.LetterQueue, Body: cancellation.Job{
			Kind: cancellation.JobOutcome, Partner: user().Partner, User: user().ID, CancellationID: id, Outcome: &report,
		},
	}, w.now)
	must(x.Commit(ctx))
}

// debited makes a cancellation whose letter has left, and a debit after the end.
func (w *world) debited(c cancellation.Cancellation) {
	w.handOver(c)
	report := debit()
	must(w.feedback.ReportOutcome(context.Background(), c.Owner, c.ID, &report))
	w.emptyOutbox()
}

// createObjection accepts an objection to a debit, which goes by this channel only.
func (w *world) createObjection(kind cancellation.ChannelKind) {
	c, r := w.createLetter(kind), cancellationtest.Request(string(kind))
	w.debited(c)
	objections := &objection.Objections{Store: w.letterStore, Requests: w.requests(kind), Evidence: w.evidence()}
	_, err := objections.Create(context.Background(), user(), objection.Request{
		CancellationID: c.ID, Parameters: r.Parameters, Signature: r.Signature,
	}, nil)
	must(err)
}

func (w *world) evidence() *evidence.Bundles { return cancellationtest.Evidence(w.letterStore) }

// exactlyOneOutcome: it is known, and partners were told once.
func exactlyOneOutcome(a *problems, w *world, _ int) {
	c := w.cancellations()[0]
	assert.Equal(a, debit().Debits, c.Seen.Debits)
	assert.Equal(a, map[string]int{"cancellation.debit_after_end": 1}, kinds(w), "events")
}

// shortLetters writes letters that carriers read quickly.
type shortLetters struct {
	cancellationtest.Writer
	t testing.TB
}

func (s shortLetters) Write(l cancellation.Letter) (cancellation.Document, error) {
	pdf := mailroomtest.PDF(s.t, 1, "Organization GmbH", "Weg 1", "50667 Koeln")
	var joined []byte
	if l.Enclosed != nil {
		joined = mailroomtest.PDF(s.t, 2, "Organization GmbH", "Weg 1", "50667 Koeln")
	}
	return cancellation.Document{PDF: pdf, Joined: joined, Subject: "Cancellation", Text: "Please.", FileName: "cancellation.pdf"}, nil
}

func (w *world) cancellations() []cancellation.Cancellation {
	all, err := w.letterStore.AllCancellations(context.Background(), cancellationtest.User())
	must(err)
	return all
}

func lettersLeft(w *world) bool {
	for _, c := range w.cancellations() {
		if c.Status.Waiting() {
			return false
		}
	}
	return len(w.rows("OutboxTable")) == 0
}

// exactlyOneLetter: each accepted cancellation is one letter at its carrier, whose status
// says so, and every status had its event.
func exactlyOneLetter(a *problems, w *world, _ int) {
	letters := w.letters()
	for _, c := range w.underWay() {
		assert.Equal(a, 1, letters[c.ID], "letters")
		assert.Contains(a, []cancellation.Status{cancellation.StatusSent, cancellation.StatusDelivered}, c.Status)
		assert.Zero(a, c.ChannelIndex, "no channel was given up")
	}
	eventsForEachStatus(a, w)
}

// oneMailForEachUnclearTry: SES cannot be asked, so a try whose end is unknown is repeated
// once no event has come within 15 minutes. Each crash leaves one such try at most.
func oneMailForEachUnclearTry(a *problems, w *world, crashes int) {
	letters := w.letters()
	for _, c := range w.cancellations() {
		assert.GreaterOrEqual(a, letters[c.ID], 1, "letters")
		assert.LessOrEqual(a, letters[c.ID], 1+crashes, "letters")
		assert.Equal(a, cancellation.StatusSent, c.Status)
	}
	eventsForEachStatus(a, w)
}

// eventsForEachStatus: the stream has had one event for each step of the history that
// partners are told.
func eventsForEachStatus(a *problems, w *world) {
	for _, c := range w.underWay() {
		want := map[string]int{}
		for _, step := range c.Steps() {
			if kind, _ := c.Event(step); kind != "" {
				want[kind]++
			}
		}
		assert.Equal(a, want, kinds(w), "events")
	}
}

// kinds counts the events by type.
func kinds(w *world) map[string]int {
	told := map[string]int{}
	for _, e := range w.told {
		told[e.Type]++
	}
	return told
}

// underWay returns the cancellations, or the objections if there are any.
func (w *world) underWay() []cancellation.Cancellation {
	all := w.cancellations()
	objections := slices.DeleteFunc(slices.Clone(all), func(c cancellation.Cancellation) bool { return c.Objects == nil })
	if len(objections) > 0 {
		return objections
	}
	return all
}
