package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

// target is a product that can be cancelled, with its company.
type target struct{ company, organizationID, productID string }

// ending is a contract that is being cancelled.
type ending struct {
	target
	product gjson.Result
	// draft is the letter of a dry run.
	draft     gjson.Result
	draftedAt time.Time
	created   gjson.Result
}

func (e ending) id() string { return e.created.Get("cancellationId").Str }

const cancellationsPath = "/cancellations/v1/cancellations"

// standIn is cancelled if no contract in the transactions can be cancelled by e-mail.
const standIn = "Vidorama"

// signer is the user's name in letters.
const signer = "Anna Sommer"

// request returns the body that cancels a target, with the fields of its product's
// template. Letters are in the recipient's language.
func (t target) request(template gjson.Result) string {
	var fields []string
	for _, f := range template.Array() {
		fields = append(fields, fmt.Sprintf("\n  "+`{"fieldKey":%q,"fieldValue":%q}`, f.Get("fieldKey").Str, value(f)))
	}
	return fmt.Sprintf(`{"organizationId":%q,`+"\n"+`  "productId":%q,"locale":"de-DE",`+"\n"+
		`  "signature":{"type":"TEXT","data":%q},"parameters":[%s]}`,
		t.organizationID, t.productID, signer, strings.Join(fields, ","))
}

// value is what the user enters into a field.
func value(f gjson.Result) string {
	known := map[string]string{
		"NAME": signer, "ADDRESS": "Lindenallee 12", "ZIP": "50667", "CITY": "Köln",
		"EMAIL": "anna.sommer@example.org", "PHONE_NUMBER": "+49 221 4710 123", "DATA_DELETE_REQUEST": "true",
	}
	if v, ok := known[f.Get("fieldKey").Str]; ok {
		return v
	}
	for _, v := range []string{"K-204817", "204817", "K204817", "1990-04-17", "89490200001234567890"} {
		if fits, err := regexp.MatchString(f.Get("format").Str, v); err == nil && fits {
			return v
		}
	}
	return ""
}

// acceptCancelling asks too early on purpose.
func (w *walker) acceptCancelling(ctx context.Context) string {
	acceptance, accepted := w.acceptances(ctx, "CancellationProvider")
	ask := partner.Post(cancellationsPath, w.candidates(ctx)[0].request(gjson.Result{})).ForUser()
	ask = ask.RefusedWith("terms_not_accepted")
	missing := w.call(ctx, ask).Get("errors.#.code")
	want(missing.Raw == `["CancellationProvider"]`,
		"the error names %s; want the terms of CancellationProvider", missing)
	w.show(ctx, append([]partner.Call{ask}, acceptance...)...)
	return "rejected with 403, then accepted: " + accepted
}

// candidates returns the contracts that can be cancelled, the most expensive first, then
// the stand-in.
func (w *walker) candidates(ctx context.Context) []target {
	return append(slices.Clone(w.contracts), w.search(ctx, standIn))
}

func searchFor(words string) partner.Call {
	return partner.Get("/cancellations/v1/search?searchQuery=" + url.QueryEscape(words))
}

// search returns the first product of the best match.
func (w *walker) search(ctx context.Context, words string) target {
	company := w.call(ctx, searchFor(words)).Get("data.organizations.0")
	want(company.Exists(), "the search for %q finds nothing", words)
	t := target{company: company.Get("name").Str, organizationID: company.Get("id").Str}
	products := partner.Get(productPath(t.organizationID, ""))
	product := w.call(ctx, products).Get("data.products.0")
	want(product.Exists(), "%s has no products", t.company)
	t.productID = product.Get("productId").Str
	return t
}

// productPath is the path of a product, or of all products if productID is empty. Labels
// are in English, so that whoever watches can read them.
func productPath(organizationID, productID string) string {
	path := "/cancellations/v1/organizations/" + organizationID + "/products/" + productID
	return strings.TrimSuffix(path, "/") + "?locale=en-GB"
}

func (w *walker) product(ctx context.Context, t target) gjson.Result {
	return w.call(ctx, partner.Get(productPath(t.organizationID, t.productID))).Get("data.product")
}

// chooseContract chooses the most expensive contract whose letter goes by e-mail, so that
// it appears in the inbox.
func (w *walker) chooseContract(ctx context.Context) string {
	for _, t := range w.candidates(ctx) {
		product := w.product(ctx, t)
		dryRun := partner.Post(cancellationsPath+"?dryRun=true", t.request(product.Get("template"))).ForUser()
		if w.call(ctx, dryRun).Get("data.letter.channel").Str == "Email" {
			w.ending = ending{target: t, product: product}
			break
		}
	}
	e := w.ending
	want(e.product.Exists(), "no contract can be cancelled by e-mail")
	w.screen.curl("ORGANIZATION_ID="+e.organizationID, "PRODUCT_ID="+e.productID,
		partner.Get(productPath("$ORGANIZATION_ID", "$PRODUCT_ID")).String())
	var rows [][]string
	for _, f := range e.product.Get("template").Array() {
		r := row(f, "fieldKey", "label", "format")
		r[1] = shorten(r[1], 34)
		if len(r[2]) > 24 {
			r[2] = "a longer pattern"
		}
		rows = append(rows, r)
	}
	w.screen.table([]string{"Field", "Label", "Format"}, rows)
	return e.company + ": " + e.product.Get("name").Str
}

func (w *walker) previewLetter(ctx context.Context) string {
	body := w.ending.request(w.ending.product.Get("template"))
	w.partner.Vars["BODY"] = body
	ask := partner.Post(cancellationsPath+"?dryRun=true", "$BODY").ForUser()
	shown := ask
	shown.Member, shown.Into = "pdf", " | base64 -d > letter.pdf"
	w.screen.curl("BODY='"+body+"'", shown.String())
	draft := w.call(ctx, ask).Get("data.letter")
	pdf, err := base64.StdEncoding.DecodeString(draft.Get("pdf").Str)
	check(err)
	want(digest(pdf) == draft.Get("sha256").Str, "the letter does not match its digest")
	w.ending.draft, w.ending.draftedAt = draft, w.screen.now()
	w.screen.tell("letter  a PDF of %d KB, to be sent by %s; the last command saves it as letter.pdf",
		(len(pdf)+1023)/1024, draft.Get("channel"))
	w.screen.tell("sha256  %s", draft.Get("sha256"))
	return "written, but not sent"
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (w *walker) cancelContract(ctx context.Context) string {
	ask := partner.Post(cancellationsPath, "$BODY").ForUser().Keeping("cancellationId", "CANCELLATION_ID")
	ask.Once = "demo-cancel-$USER_ID"
	w.ending.created = w.show(ctx, ask).Get("data.cancellation")
	again := w.call(ctx, ask).Get("data.cancellation")
	for _, member := range []string{"cancellationId", "letterSha256"} {
		want(again.Get(member).Str == w.ending.created.Get(member).Str,
			"the same Idempotency-Key created two cancellations")
	}
	w.screen.tell("sent twice with the same Idempotency-Key: one cancellation, the same response")
	ask.Once, ask.Member, ask.Keep = "", "", ""
	w.show(ctx, ask.RefusedWith("already_cancelled"))
	w.screen.tell("sent by mistake with another key: rejected with 409, and with the ID of the first")
	return fmt.Sprintf("cancellation %s is %s", w.ending.id(), w.ending.created.Get("status"))
}

// companies returns some of the sandbox's test companies, each with a hasty spelling of
// its name. Each accepts letters by another channel, and e-mail to the last one bounces.
func companies() [][2]string {
	return [][2]string{
		{"nur psot", "Nur Post"}, {"nur einschriben", "Nur Einschreiben"},
		{"nur fax", "Nur Fax"}, {"bunce gmbh", "Bounce GmbH"},
	}
}

// anotherCompany accepts registered mail. A letter to it is withdrawn, so that a later one
// is not the second.
func anotherCompany() [2]string { return [2]string{"einschreiben oder fax", "Einschreiben oder Fax"} }

func (w *walker) cancelOthers(ctx context.Context) string {
	w.show(ctx, searchFor(companies()[0][0]), searchFor(companies()[1][0]))
	var rows [][]string
	for _, c := range companies() {
		e := w.endByName(ctx, c)
		w.others = append(w.others, e)
		cells := []string{c[0], e.company, e.product.Get("name").Str}
		rows = append(rows, append(cells, row(e.created, "channel", "status")...))
	}
	w.screen.table([]string{"Typed", "Found", "Product", "By", ""}, rows)
	return fmt.Sprintf("%d cancellations; post takes a while, so let us see the e-mail first", len(rows))
}

// endByName finds a company and cancels its first product.
func (w *walker) endByName(ctx context.Context, company [2]string) ending {
	e := ending{target: w.search(ctx, company[0])}
	want(e.company == company[1], "the search for %q finds %s first; want %s", company[0], e.company, company[1])
	e.product = w.product(ctx, e.target)
	ask := partner.Post(cancellationsPath, e.request(e.product.Get("template"))).ForUser()
	e.created = w.call(ctx, ask).Get("data.cancellation")
	return e
}

func (w *walker) cancellation(ctx context.Context, id string) gjson.Result {
	return w.call(ctx, partner.Get(cancellationsPath+"/"+id).ForUser()).Get("data.cancellation")
}

// history returns a cancellation's history on one line.
func history(c gjson.Result) string { return joined(c.Get("history.#.status"), " → ") }

func joined(list gjson.Result, separator string) string {
	var all []string
	for _, s := range list.Array() {
		all = append(all, s.Str)
	}
	return strings.Join(all, separator)
}

func (w *walker) awaitMail(ctx context.Context) string {
	status := partner.Get(cancellationsPath + "/$CANCELLATION_ID").ForUser()
	letter := partner.Get(cancellationsPath + "/$CANCELLATION_ID/letter").ForUser()
	status.Until = `"status":"Delivered","statusReason"`
	letter.Into = " > letter.pdf"
	commands := []string{status.String(), letter.String()}
	if w.inbox != "" {
		commands = append(commands, `curl -s `+w.inbox+`/store | grep -o '"subject":"[^"]*"' | tail -1`)
	}
	w.screen.curl(commands...)
	var now gjson.Result
	w.eventually(ctx, w.lettersWithin, "the letter has not been delivered", func(ctx context.Context) bool {
		now = w.cancellation(ctx, w.ending.id())
		return now.Get("status").Str == "Delivered"
	})
	w.screen.tell("status  %s", history(now))
	pdf, err := w.partner.Do(ctx, letter)
	check(err)
	w.asSent(now, digest(pdf))
	w.lookIntoInbox(ctx, digest(pdf))
	return w.ending.company + " has received the letter"
}

// asSent compares the stored letter with its digest and with the dry run's. Letters
// contain the date, so a dry run of another day does not count.
func (w *walker) asSent(c gjson.Result, kept string) {
	want(kept == c.Get("letterSha256").Str, "the letter does not match letterSha256")
	day := func(t time.Time) string { return t.UTC().Format(time.DateOnly) }
	sameDay := day(c.Get("history.0.at").Time()) == day(w.ending.draftedAt)
	want(!sameDay || kept == w.ending.draft.Get("sha256").Str, "the letter differs from the dry run")
	w.screen.tell("letter  identical to the dry run, byte for byte")
}

// lookIntoInbox shows the mail that has the letter attached. The inbox is not part of the
// service, so responses are not checked.
func (w *walker) lookIntoInbox(ctx context.Context, sha256 string) {
	if w.inbox == "" {
		if !w.screen.brief {
			w.screen.tell("inbox   the address is not known here; make run prints it")
		}
		return
	}
	store := &partner.Client{HTTP: &http.Client{Timeout: partner.CallWithin}, BaseURL: w.inbox}
	text, err := store.Do(ctx, partner.Call{Method: http.MethodGet, Path: "/store", Anonymous: true})
	check(err)
	mails := gjson.GetBytes(text, "emails").Array()
	for _, m := range slices.Backward(mails) {
		content, err := base64.StdEncoding.DecodeString(m.Get("attachments.0.content").Str)
		if err == nil && digest(content) == sha256 {
			w.screen.tell("mail    to %s, with %s",
				joined(m.Get("destination.to"), ", "), m.Get("attachments.0.filename"))
			w.screen.tell("subject “%s”", m.Get("subject"))
			w.screen.tell("inbox   see it at %s", w.inbox)
			return
		}
	}
	want(false, "the letter is not in the inbox at %s; DATA_DIR must be the data folder of the stack at %s",
		w.inbox, w.partner.BaseURL)
}

// tooLate is the error code when it is too late to withdraw.
const tooLate = "cancellation_not_withdrawable"

func (w *walker) withdraw(ctx context.Context) string {
	w.show(ctx, partner.Post(cancellationsPath+"/$CANCELLATION_ID/withdraw", "").ForUser().RefusedWith(tooLate))
	w.screen.tell("too late  %s: rejected with 409", w.ending.company)
	e := w.endByName(ctx, anotherCompany())
	var taken gjson.Result
	// Not possible while the letter is being handed over to the carrier. Afterwards it
	// waits for the carrier's checks and can still be withdrawn. The walk waits until it is
	// queued, so that every walk causes the same events.
	w.eventually(ctx, w.lettersWithin, "the letter could not be withdrawn", func(ctx context.Context) bool {
		if w.cancellation(ctx, e.id()).Get("status").Str == "Created" {
			return false
		}
		text, err := w.partner.Do(ctx, partner.Post(cancellationsPath+"/"+e.id()+"/withdraw", "").ForUser())
		if refused, is := errors.AsType[*partner.Unexpected](err); is && refused.Code == tooLate {
			return false
		}
		check(err)
		taken = gjson.GetBytes(text, "data.cancellation")
		return true
	})
	w.screen.tell("in time   %s: %s", e.company, history(taken))
	return "one " + taken.Get("status").Str
}

// answer gives the company's answer, as a developer would on a sandbox page.
func (w *walker) answer(ctx context.Context) string {
	confirmed := partner.Get(cancellationsPath + "?status=Confirmed").ForUser()
	w.screen.curl(`curl -s -o /dev/null -w '%{http_code}\n' -d answer=Confirmed -d cancellation=$CANCELLATION_ID \`,
		`  $BASE_URL/sandbox/replies`, confirmed.String())
	check(w.browser.open(ctx, w.partner.BaseURL+"/sandbox/replies?cancellation="+w.ending.id()))
	form, err := w.browser.page.pick("answer", "Confirmed")
	check(err)
	check(w.browser.submit(ctx, form))
	list := w.call(ctx, confirmed).Get("data.cancellations").Array()
	want(len(list) == 1 && list[0].Get("cancellationId").Str == w.ending.id(),
		"the cancellation is not among the confirmed ones")
	return w.ending.company + " has confirmed: " + history(list[0])
}

func sandboxLetters(path string) partner.Call {
	return partner.Call{Method: http.MethodGet, Path: path, Anonymous: true, Accept: "application/json"}
}

func (w *walker) awaitOthers(ctx context.Context) string {
	w.show(ctx, partner.Get(cancellationsPath).ForUser(), sandboxLetters("/sandbox/letters"))
	var rows [][]string
	for _, e := range w.others {
		c := w.arrived(ctx, e)
		rows = append(rows, []string{
			e.company, c.Get("channel").Str, history(c), w.atCarrier(ctx, c), c.Get("trackingNumber").Str,
		})
	}
	w.screen.table([]string{"Company", "By", "Status", "At the carrier", "Tracking number"}, rows)
	w.screen.tell("see them at %s/sandbox/letters", w.partner.BaseURL)
	return fmt.Sprintf("%d letters sent on paper or by fax", len(rows))
}

// arrived waits for a letter's final status: Sent for plain post, whose arrival nobody
// reports.
func (w *walker) arrived(ctx context.Context, e ending) (now gjson.Result) {
	w.eventually(ctx, w.lettersWithin, "the letter to "+e.company+" has not arrived", func(ctx context.Context) bool {
		now = w.cancellation(ctx, e.id())
		status, channel := now.Get("status").Str, now.Get("channel").Str
		want(status != "DeliveryFailed",
			"the letter to %s could not be delivered (reason %q)", e.company, now.Get("statusReason"))
		return status == "Delivered" && channel != "Email" || status == "Sent" && channel == "Mail"
	})
	want(now.Get("channel").Str != "RegisteredMail" || now.Get("trackingNumber").Str != "",
		"the registered letter has no tracking number")
	return now
}

// atCarrier returns the state of a letter at the sandbox's carriers.
func (w *walker) atCarrier(ctx context.Context, c gjson.Result) string {
	next := "/sandbox/letters"
	for n := 0; n < maxPages && next != ""; n++ {
		page := w.call(ctx, sandboxLetters(next))
		for _, l := range page.Get("letters").Array() {
			if l.Get("cancellationId").Str == c.Get("cancellationId").Str && l.Get("how").Str == c.Get("channel").Str {
				return l.Get("state").Str
			}
		}
		next = page.Get("next").Str
	}
	want(false, "the sandbox does not have the letter of cancellation %s", c.Get("cancellationId"))
	return ""
}
