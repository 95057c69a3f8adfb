package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (w *walker) cancellation(ctx context.Context, id string) (cancellation, error) {
	var answer envelope[cancellationData]
	err := w.partner.do(ctx, call{method: http.MethodGet, path: cancellationPath + "/cancellations/" + id}, &answer)
	return answer.Data.Cancellation, err
}

func (w *walker) awaitMail(ctx context.Context) error {
	w.screen.begin("The letter arrives by e-mail", "SES tells what becomes of each mail; so Sent becomes Delivered.")
	commands := []string{
		`for i in $(seq 60); do`, `  curl -s` + authorization + actingUser + ` \`,
		`    $BASE_URL` + cancellationPath + `/cancellations/$CANCELLATION_ID | grep '"status":"Delivered","statusReason"' && break`,
		`  sleep 1`, `done`,
		`curl -s -o letter.pdf` + authorization + actingUser + ` \`,
		`  $BASE_URL` + cancellationPath + `/cancellations/$CANCELLATION_ID/letter`,
	}
	if w.inbox != "" {
		commands = append(commands, `curl -s `+w.inbox+`/store | grep -o '"subject":"[^"]*"' | tail -1`)
	}
	w.screen.curl(commands...)
	var now cancellation
	err := w.eventually(ctx, "the letter has not been delivered", func(ctx context.Context) (arrived bool, err error) {
		now, err = w.cancellation(ctx, w.ending.made.CancellationID)
		return now.Status == "Delivered", err
	})
	if err != nil {
		return err
	}
	w.screen.tell("status  %s", steps(now))
	if err := w.asSent(ctx, now); err != nil {
		return err
	}
	if err := w.lookIntoInbox(ctx, now); err != nil {
		return err
	}
	w.screen.end("%s has the letter", w.ending.company)
	return nil
}

// asSent holds the letter that is kept against its digest and the dry run's. A
// letter bears its date, so that of another day is another one.
func (w *walker) asSent(ctx context.Context, c cancellation) error {
	text, err := w.partner.fetch(ctx, call{method: http.MethodGet, path: cancellationPath + "/cancellations/" + c.CancellationID + "/letter"})
	if err != nil {
		return err
	}
	if digest(text) != c.LetterSHA256 {
		return errors.New("the letter is not the one that letterSha256 is of")
	}
	sameDay := c.History[0].At.UTC().Format(time.DateOnly) == w.ending.draftedAt.UTC().Format(time.DateOnly)
	if sameDay && digest(text) != w.ending.draft.SHA256 {
		return errors.New("the letter is not the one that the dry run has shown")
	}
	w.screen.tell("letter  the one that the dry run has shown, to the byte")
	return nil
}

func (w *walker) lookIntoInbox(ctx context.Context, c cancellation) error {
	if w.inbox == "" {
		w.screen.tell("inbox   the address is not known here; make run prints it, or the SES in use has it")
		return nil
	}
	m, err := w.mailWith(ctx, c.LetterSHA256)
	if err != nil {
		return err
	}
	w.screen.tell("mail    to %s, with %s", strings.Join(m.Destination.To, ", "), m.Attachments[0].Filename)
	w.screen.tell("about   “%s”", m.Subject)
	w.screen.tell("inbox   %s shows it", w.inbox)
	return nil
}

// mailWith is the mail to which a letter is attached. The inbox is not the
// service: the document says nothing of it.
func (w *walker) mailWith(ctx context.Context, sha256 string) (mail, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.inbox+"/store", nil)
	if err != nil {
		return mail{}, err
	}
	resp, err := (&http.Client{Timeout: callWithin}).Do(req)
	if err != nil {
		return mail{}, fmt.Errorf("look into the inbox: %w", err)
	}
	text, err := readAll(resp)
	if err != nil {
		return mail{}, fmt.Errorf("look into the inbox: %w", err)
	}
	var store inboxData
	if err := json.Unmarshal(text, &store); err != nil {
		return mail{}, fmt.Errorf("look into the inbox: %w", err)
	}
	for _, m := range slices.Backward(store.Emails) {
		if len(m.Attachments) > 0 && digest(m.Attachments[0].Content) == sha256 {
			return m, nil
		}
	}
	return mail{}, fmt.Errorf("the inbox at %s does not have the letter; DATA_DIR must be that of the stack at %s", w.inbox, w.partner.baseURL)
}

// answer is the company's, given by a developer on a page of the sandbox.
func (w *walker) answer(ctx context.Context) error {
	const page = "/sandbox/replies"
	w.screen.begin("The company answers", "In the sandbox by a page, where somebody says what a company writes to the user.")
	w.screen.curl(`curl -s -o /dev/null -w '%{http_code}\n' -d answer=Confirmed -d cancellation=$CANCELLATION_ID \`,
		`  $BASE_URL`+page,
		`curl -s`+authorization+actingUser+` "$BASE_URL`+cancellationPath+`/cancellations?status=Confirmed"`)
	b := w.browser
	if err := b.open(ctx, w.partner.baseURL+page+"?cancellation="+w.ending.made.CancellationID); err != nil {
		return err
	}
	f, err := b.page.pick("answer", "Confirmed")
	if err != nil {
		return err
	}
	if err := b.submit(ctx, f); err != nil {
		return err
	}
	var list envelope[struct {
		Cancellations []cancellation `json:"cancellations"`
	}]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: cancellationPath + "/cancellations?status=Confirmed"}, &list); err != nil {
		return err
	}
	if len(list.Data.Cancellations) != 1 || list.Data.Cancellations[0].CancellationID != w.ending.made.CancellationID {
		return errors.New("the cancellation is not among those confirmed")
	}
	w.screen.end("%s has confirmed: %s", w.ending.company, steps(list.Data.Cancellations[0]))
	return nil
}

func (w *walker) awaitOthers(ctx context.Context) error {
	w.screen.begin("The other letters arrive", "Post office and fax gateway report by callbacks; after a bounce the next way is taken.")
	w.screen.curl(`curl -s`+authorization+actingUser+` $BASE_URL`+cancellationPath+`/cancellations`,
		`curl -s -H 'Accept: application/json' $BASE_URL/sandbox/letters`)
	var rows [][]string
	for _, e := range w.others {
		c, err := w.arrived(ctx, e)
		if err != nil {
			return err
		}
		at, err := w.atSandbox(ctx, c)
		if err != nil {
			return err
		}
		rows = append(rows, []string{e.company, c.Channel, steps(c), at.State, c.TrackingNumber})
	}
	w.screen.table([]string{"Company", "By", "Status", "At the carrier", "Tracking number"}, rows)
	w.screen.tell("look at them  %s/sandbox/letters", w.partner.baseURL)
	w.screen.end("%d letters on paper and by fax", len(rows))
	return nil
}

// arrived waits until a letter is where it ends by itself: post does not tell
// of plain letters that they arrive.
func (w *walker) arrived(ctx context.Context, e ending) (cancellation, error) {
	var now cancellation
	err := w.eventually(ctx, "the letter to "+e.company+" has not arrived", func(ctx context.Context) (bool, error) {
		var err error
		if now, err = w.cancellation(ctx, e.made.CancellationID); err != nil {
			return false, err
		}
		if now.Status == "DeliveryFailed" {
			return false, fmt.Errorf("the letter to %s has failed, for the reason %q", e.company, now.StatusReason)
		}
		return now.Status == "Delivered" && now.Channel != "Email" || now.Status == "Sent" && now.Channel == "Mail", nil
	})
	if err == nil && now.Channel == "RegisteredMail" && now.TrackingNumber == "" {
		err = errors.New("the registered letter has no tracking number")
	}
	return now, err
}

// atSandbox finds a letter at the sandbox's carriers.
func (w *walker) atSandbox(ctx context.Context, c cancellation) (sandboxLetter, error) {
	path := "/sandbox/letters"
	for range maxPages {
		var page sandboxLetters
		if err := w.developer.do(ctx, call{method: http.MethodGet, path: path, accept: "application/json"}, &page); err != nil {
			return sandboxLetter{}, err
		}
		for _, l := range page.Letters {
			if l.CancellationID == c.CancellationID && l.How == c.Channel {
				return l, nil
			}
		}
		if path = page.Next; path == "" {
			break
		}
	}
	return sandboxLetter{}, fmt.Errorf("the sandbox does not have the letter of cancellation %s", c.CancellationID)
}
