package crashpoints

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationtest"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

// letterScenarios are the ways of a letter: one for each channel, and by e-mail also when
// SES reports nothing.
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
	products := cancellationtest.Products{}
	for _, p := range cancellationtest.NewProducts() {
		for _, c := range p.Channels {
			if c.Kind == kind {
				p.Channels, p.Form = []cancellation.Channel{c}, cancellation.FormText
				p.Slug, p.Terms = string(kind), nil
				p.OrganizationID, p.ID = cancellation.OrganizationID(p.Slug), cancellation.ProductID(p.Slug, "contract")
				products[p.ID] = p
			}
		}
	}
	requests := cancellation.NewRequests(cancellation.RequestDeps{
		Store: w.letterStore, Product: products.OrganizationProduct, Gate: cancellationtest.Gate{},
		Writer: shortLetters{t: w.t}, Now: w.clock, NewID: w.newID, Enabled: []cancellation.ChannelKind{kind},
	})
	c, _, err := requests.Create(context.Background(), cancellationtest.User(), cancellationtest.Request(string(kind)))
	must(err)
	return c
}

// shortLetters writes letters that carriers read quickly.
type shortLetters struct {
	cancellationtest.Writer
	t testing.TB
}

func (s shortLetters) Write(cancellation.Letter) (cancellation.Document, error) {
	pdf := mailroomtest.PDF(s.t, 1, "Organization GmbH", "Weg 1", "50667 Koeln")
	return cancellation.Document{PDF: pdf, Subject: "Cancellation", Text: "Please.", FileName: "cancellation.pdf"}, nil
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
	for _, c := range w.cancellations() {
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
	told := map[string]int{}
	for _, e := range w.told {
		told[e.Type]++
	}
	for _, c := range w.cancellations() {
		want := map[string]int{}
		for _, step := range c.Steps() {
			want[step.EventType()]++
		}
		assert.Equal(a, want, told, "events")
	}
}
