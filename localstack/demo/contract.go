package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

const contractsPath = "/openbanking/v1/insights/subscriptions"

// followed is a company that no persona pays by itself, so that its debits can stop.
const followed = "Amourelio"

// followContract follows a contract from its payments to what its end saves: its deadline, the
// letter, a debit too many, the objection, and silence. The user's time passes meanwhile.
func (w *walker) followContract(ctx context.Context) string {
	last := w.call(ctx, partner.Get(clockPath)).Get("data.clock.now").Time().AddDate(0, 0, -10)
	last = last.AddDate(0, 0, -max(0, last.Day()-28)) // every month has such a day
	var months []time.Time
	for ago := range 6 {
		months = append(months, last.AddDate(0, -ago, 0))
	}
	w.pay(ctx, months...)
	contracts := partner.Get(contractsPath).ForUser()
	savings := partner.Get("/openbanking/v1/insights/savings").ForUser()
	w.screen.curl(contracts.String(), savings.String())
	var found gjson.Result
	w.eventually(ctx, w.syncWithin, "the contract has not been found", func(ctx context.Context) bool {
		found = w.call(ctx, contracts).Get(`data.subscriptions.#(merchant.name=="` + followed + `")`)
		return found.Exists()
	})
	id := found.Get("subscriptionId").Str
	say := partner.Call{
		Method: http.MethodPatch, Path: contractsPath + "/" + id, Body: fmt.Sprintf(`{"contractStart":%q}`, day(months[5])),
	}
	deadline := w.call(ctx, say.ForUser()).Get("data.subscription.deadline")
	end := deadline.Get("earliestEnd")
	lastDay, err := time.Parse(time.DateOnly, end.Str)
	check(err)
	w.screen.tell("deadline  %s can end on %s, if the letter leaves by %s",
		followed, end, deadline.Get("sendBy.0.date"))

	letter, body := w.endOn(ctx, found, end.Str)
	w.screen.tell("letter    ends the contract on %s: %s", letter.Get("endDate"), history(letter))
	w.pass30(ctx)
	w.pay(ctx, lastDay.AddDate(0, 0, 1))
	path := letter.Get("cancellationId").Str
	debited := w.untilOutcome(ctx, path, "StillDebited").Get("debitsAfterEnd.0")
	w.screen.tell("debit     %s %s on %s, after the end", debited.Get("amount").Raw, debited.Get("currencyCode"), debited.Get("date"))
	w.object(ctx, path, body)
	w.pass30(ctx)
	w.pass30(ctx)
	ended := w.untilOutcome(ctx, path, "Ended")
	saved := w.call(ctx, savings).Get("data.savings.0")
	w.screen.tell("outcome   %s: the debits have stopped", ended.Get("outcome"))
	return fmt.Sprintf("the end of %s saves %s %s a year", followed, saved.Get("yearlySaving").Raw, saved.Get("currencyCode"))
}

// pay has the bank debit the user for the contract on these days, and reads it.
func (w *walker) pay(ctx context.Context, days ...time.Time) {
	rows := make([]string, len(days))
	for i, d := range days {
		rows[i] = fmt.Sprintf(`{"amount":-29.90,"bookingDate":%q,"counterparty":%q,"note":"Amourelio Premium"}`, day(d), followed)
	}
	w.call(ctx, partner.Post("/sandbox/v1/users/$USER_ID/transactions",
		fmt.Sprintf(`{"accountId":%q,"transactions":[%s]}`, w.accounts[0].Get("accountId").Str, strings.Join(rows, ","))))
	w.call(ctx, partner.Post(connectionPath+"/refresh", "").ForUser())
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// endOn cancels a contract for a day. It returns the cancellation, once the letter has arrived,
// and the request.
func (w *walker) endOn(ctx context.Context, found gjson.Result, end string) (letter, body gjson.Result) {
	t := target{
		company: followed, organizationID: found.Get("cancellable.organizationId").Str,
		productID: found.Get("cancellable.productId").Str,
	}
	request := t.request(w.product(ctx, t).Get("template"))
	body = gjson.Parse(request)
	request = fmt.Sprintf(`{"subscriptionId":%q,"endDate":%q,%s`, found.Get("subscriptionId").Str, end, request[1:])
	id := w.call(ctx, partner.Post(cancellationsPath, request).ForUser()).Get("data.cancellation.cancellationId").Str
	w.eventually(ctx, w.lettersWithin, "the letter to "+followed+" has not arrived", func(ctx context.Context) bool {
		letter = w.cancellation(ctx, id)
		return letter.Get("status").Str == "Delivered"
	})
	return letter, body
}

// object sends the objection to the debits, and waits until it has arrived.
func (w *walker) object(ctx context.Context, cancellationID string, body gjson.Result) {
	path := cancellationsPath + "/" + cancellationID + "/objections"
	object := partner.Post(path, fmt.Sprintf(`{"parameters":%s,"signature":%s}`, body.Get("parameters").Raw, body.Get("signature").Raw))
	w.call(ctx, object.ForUser())
	var sent gjson.Result
	w.eventually(ctx, w.lettersWithin, "the objection to "+followed+" has not arrived", func(ctx context.Context) bool {
		sent = w.call(ctx, partner.Get(path).ForUser()).Get("data.objections.0")
		return sent.Get("status").Str == "Delivered"
	})
	w.screen.tell("objection with the evidence of the letter: %s", history(sent))
}

// pass30 advances the user's clock by 30 days.
func (w *walker) pass30(ctx context.Context) {
	w.call(ctx, partner.Post(clockPath, `{"advanceBy":"P30D"}`))
	w.clockReady(ctx)
}

func (w *walker) untilOutcome(ctx context.Context, id, outcome string) (c gjson.Result) {
	w.eventually(ctx, w.syncWithin, "the outcome is not "+outcome, func(ctx context.Context) bool {
		c = w.cancellation(ctx, id)
		return c.Get("outcome").Str == outcome
	})
	return c
}
