package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// preview asks for the letter without sending it.
func (w *walker) preview(ctx context.Context, p product) (letter, error) {
	var answer envelope[letterData]
	ask := call{method: http.MethodPost, path: cancellationPath + "/cancellations?dryRun=true", body: request(p)}
	if err := w.partner.do(ctx, ask, &answer); err != nil {
		return letter{}, err
	}
	if l := answer.Data.Letter; digest(l.PDF) != l.SHA256 {
		return letter{}, errors.New("the letter is not the one that its digest is of")
	}
	return answer.Data.Letter, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (w *walker) previewLetter(ctx context.Context) error {
	w.screen.begin("The user looks at the letter before it goes out", "A dry run: the same request, but nothing is stored or sent.")
	w.screen.curl(append(bodyCommand(request(w.ending.product)),
		`curl -s`+authorization+actingUser+asJSON+` -d "$BODY" \`,
		`  "$BASE_URL`+cancellationPath+`/cancellations?dryRun=true"`+take("pdf")+` | base64 -d > letter.pdf`)...)
	draft, err := w.preview(ctx, w.ending.product)
	if err != nil {
		return err
	}
	w.ending.draft, w.ending.draftedAt = draft, w.screen.now()
	w.screen.tell("letter  %s of PDF, to go by %s; the last command keeps it as letter.pdf", size(len(draft.PDF)), draft.Channel)
	w.screen.tell("sha256  %s", draft.SHA256)
	w.screen.end("written, and not sent")
	return nil
}

// bodyCommand sets BODY to a request, the ids taken from where an earlier step
// has put them.
func bodyCommand(r cancellationRequest) []string {
	lines := []string{
		`BODY='{"organizationId":"'$ORGANIZATION_ID'","productId":"'$PRODUCT_ID'","locale":"` + r.Locale + `",`,
		`  "signature":{"type":"` + r.Signature.Type + `","data":"` + r.Signature.Data + `"},"parameters":[`,
	}
	for i, p := range r.Parameters {
		end := ","
		if i == len(r.Parameters)-1 {
			end = `]}'`
		}
		lines = append(lines, `  {"fieldKey":"`+p.FieldKey+`","fieldValue":"`+p.FieldValue+`"}`+end)
	}
	return lines
}

func size(bytes int) string { return fmt.Sprintf("%d KB", (bytes+1023)/1024) }

func (w *walker) cancelContract(ctx context.Context) error {
	w.screen.begin("The user sends it", "The answer comes at once; the letter goes out in the background, and exactly once.")
	once := "demo-cancel-" + w.partner.userID
	w.screen.curl(`CANCELLATION_ID=$(curl -s`+authorization+actingUser+` \`,
		` `+asJSON+` -H "Idempotency-Key: demo-cancel-$USER_ID" -d "$BODY" \`,
		`  $BASE_URL`+cancellationPath+`/cancellations`+take("cancellationId")+`)`)
	body := request(w.ending.product)
	first, err := w.cancel(ctx, body, once)
	if err != nil {
		return err
	}
	again, err := w.cancel(ctx, body, once)
	if err != nil {
		return err
	}
	if first.CancellationID != again.CancellationID || first.LetterSHA256 != again.LetterSHA256 {
		return errors.New("the same Idempotency-Key made two cancellations")
	}
	w.ending.made = first
	w.screen.tell("sent twice with the same Idempotency-Key: one cancellation, the same answer")
	w.screen.end("cancellation %s is %s", first.CancellationID, first.Status)
	return nil
}

func (w *walker) cancel(ctx context.Context, body cancellationRequest, once string) (cancellation, error) {
	var answer envelope[cancellationData]
	ask := call{method: http.MethodPost, path: cancellationPath + "/cancellations", body: body, once: once}
	err := w.partner.do(ctx, ask, &answer)
	return answer.Data.Cancellation, err
}

// company is one of the sandbox's for tests, as somebody in a hurry types it.
type company struct{ typed, name string }

// companies each take letters by another way, and the last one's e-mail comes
// back.
func companies() []company {
	return []company{
		{"nur psot", "Nur Post"}, {"nur einschriben", "Nur Einschreiben"}, {"nur fax", "Nur Fax"}, {"bunce gmbh", "Bounce GmbH"},
	}
}

func (w *walker) cancelOthers(ctx context.Context) error {
	w.screen.begin("The user leaves four more companies, some found in spite of a typo", "They take letters by post, by registered post and by fax; the e-mail of the last one bounces.")
	w.screen.curl(`curl -s`+authorization+` "$BASE_URL`+cancellationPath+`/search?searchQuery=`+url.QueryEscape(companies()[0].typed)+`"`,
		`curl -s`+authorization+` "$BASE_URL`+cancellationPath+`/search?searchQuery=`+url.QueryEscape(companies()[1].typed)+`"`)
	var rows [][]string
	for _, c := range companies() {
		e, err := w.endByName(ctx, c)
		if err != nil {
			return err
		}
		w.others = append(w.others, e)
		rows = append(rows, []string{c.typed, e.company, e.product.Name, e.made.Channel, e.made.Status})
	}
	w.screen.table([]string{"Typed", "Found", "Product", "By", ""}, rows)
	w.screen.end("%d cancellations; post takes a while, so on with the others", len(w.others))
	return nil
}

// endByName finds a company and cancels its first product.
func (w *walker) endByName(ctx context.Context, c company) (ending, error) {
	found, err := w.search(ctx, c.typed)
	if err != nil {
		return ending{}, err
	}
	if found.Name != c.name {
		return ending{}, fmt.Errorf("the search for %q finds %s first; want %s", c.typed, found.Name, c.name)
	}
	e := ending{company: found.Name}
	productID, err := w.firstProduct(ctx, found.ID)
	if err != nil {
		return ending{}, err
	}
	if e.product, err = w.readProduct(ctx, cancellable{OrganizationID: found.ID, ProductID: productID}); err != nil {
		return ending{}, err
	}
	e.made, err = w.cancel(ctx, request(e.product), "")
	return e, err
}

// tooLate is the code of a withdrawal that cannot be any more.
const tooLate = "cancellation_not_withdrawable"

func (w *walker) withdraw(ctx context.Context) error {
	w.screen.begin("The user changes their mind, in time and too late", "A letter can be taken back until a carrier has it.")
	w.screen.curl(`curl -s -X POST`+authorization+actingUser+` \`,
		`  $BASE_URL`+cancellationPath+`/cancellations/$CANCELLATION_ID/withdraw | grep `+tooLate)
	late := call{method: http.MethodPost, path: cancellationPath + "/cancellations/" + w.ending.made.CancellationID + "/withdraw", refused: tooLate}
	if err := w.partner.do(ctx, late, &struct{}{}); err != nil {
		return err
	}
	w.screen.tell("too late  %s: refused with 409", w.ending.company)
	e, err := w.endByName(ctx, companies()[0])
	if err != nil {
		return err
	}
	taken, err := w.takeBack(ctx, e.made.CancellationID)
	if err != nil {
		return err
	}
	w.screen.tell("in time   %s: %s", e.company, steps(taken))
	w.screen.end("one %s", taken.Status)
	return nil
}

// takeBack withdraws a letter by post. While it is being handed over that is
// refused; then it waits for the carrier's check, and can be taken back again.
func (w *walker) takeBack(ctx context.Context, id string) (cancellation, error) {
	var answer envelope[cancellationData]
	err := w.eventually(ctx, "no letter could be taken back", func(ctx context.Context) (bool, error) {
		err := w.partner.do(ctx, call{method: http.MethodPost, path: cancellationPath + "/cancellations/" + id + "/withdraw"}, &answer)
		var refused *unexpected
		if errors.As(err, &refused) && refused.code == tooLate {
			return false, nil
		}
		return true, err
	})
	return answer.Data.Cancellation, err
}

// steps is the history in one line.
func steps(c cancellation) string {
	var all []string
	for _, s := range c.History {
		all = append(all, s.Status)
	}
	return strings.Join(all, " → ")
}

// eventually asks until something is so, within the time that letters have.
func (w *walker) eventually(ctx context.Context, otherwise string, so func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, w.lettersWithin, fmt.Errorf("%s within %s", otherwise, w.lettersWithin))
	defer cancel()
	ask := time.NewTicker(w.askEvery)
	defer ask.Stop()
	for {
		done, err := so(ctx)
		if err != nil {
			return because(ctx, err)
		}
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ask.C:
		}
	}
}
