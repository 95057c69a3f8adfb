package pfmapi

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"aviso/internal/pfm/connection"
)

// Entity is the licensed account information service that reads accounts, its register and number, and the address
// of its privacy notice.
type Entity struct{ Name, Register, PrivacyNotice string }

// ConsentWords are the words of the consent page in one language. They have places for {entity}, {register},
// {partner}, {bank}, {days} and {date}. Whoever changes their meaning raises consentVersion.
type ConsentWords struct {
	Message

	// Each label has a text.
	Reader, Receiver, Data, DataText, Duration, DurationText, Ending, EndingText string

	PrivacyNotice, Agree, Leave string
	// Date is the form of a day, as in package time.
	Date string
}

// consentVersion is the version of the wording.
const consentVersion = 1

// Consent is the form in which a user agrees that accounts are read, or leaves. Before the bank asks, it says who
// reads what, for whom, how long, and how to end that (GDPR, articles 7 and 13; PSD2, article 67(2)(a)).
type Consent struct {
	Message

	words      ConsentWords
	terms      [][2]string // labels and texts
	notice     string
	languageIs string
}

// consent returns the form for a visit.
func (p pages) consent(
	ctx context.Context, words Words, partner string, visit connection.Visit,
) (Consent, error) {
	entity, err := p.entity(ctx)
	if err != nil {
		return Consent{}, fmt.Errorf("read the licensed entity: %w", err)
	}
	if back, err := url.Parse(visit.ReturnTo); err == nil {
		partner = cmp.Or(partner, back.Host)
	}
	w := words.Consent
	fill := strings.NewReplacer(
		"{entity}", entity.Name, "{register}", entity.Register, "{partner}", partner, "{bank}", visit.BankName,
		"{days}", strconv.Itoa(visit.Question.HistoryDays), "{date}", visit.Question.LastDay.Time().Format(w.Date),
	).Replace
	return Consent{
		Message: Message{fill(w.Title), fill(w.Text)}, words: w, notice: entity.PrivacyNotice, languageIs: words.Language,
		terms: [][2]string{
			{w.Reader, fill("{entity} ({register})")}, {w.Receiver, partner}, {w.Data, fill(w.DataText)},
			{w.Duration, fill(w.DurationText)}, {w.Ending, fill(w.EndingText)},
		},
	}, nil
}

// text is all that the user reads, one paragraph a line.
func (c Consent) text() connection.ConsentText {
	lines := []string{c.Title, c.Text}
	for _, term := range c.terms {
		lines = append(lines, term[0]+": "+term[1])
	}
	lines = append(lines, c.words.PrivacyNotice+": "+c.notice, "["+c.words.Agree+"] ["+c.words.Leave+"]")
	return connection.ConsentText{Text: strings.Join(lines, "\n"), Language: c.languageIs, Version: consentVersion}
}

func (c Consent) write(b *strings.Builder) {
	b.WriteString(`<dl>`)
	for _, term := range c.terms {
		b.WriteString(`<dt>` + html.EscapeString(term[0]) + `</dt><dd>` + html.EscapeString(term[1]) + `</dd>`)
	}
	b.WriteString(`</dl><p class="notice"><a href="` + html.EscapeString(c.notice) + `" target="_blank" rel="noopener">` +
		html.EscapeString(c.words.PrivacyNotice) + `</a></p><form method="post">` +
		`<input type="hidden" name="seen" value="` + c.text().Digest() + `"><button name="consent" value="yes">` +
		html.EscapeString(c.words.Agree) + `</button><button name="consent" value="no">` + html.EscapeString(c.words.Leave) +
		`</button></form>`)
}
