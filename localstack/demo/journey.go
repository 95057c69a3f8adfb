package main

import "context"

// step is a step of the journey; do returns its result.
type step struct {
	title, explanation string
	do                 func(*walker, context.Context) string
	// local says that the step needs a server on this machine that the service can call.
	local bool
}

func journey() []step {
	return []step{
		{"The partner gets an access token",
			"OAuth 2.0 client credentials. The sandbox's are public, and work on your machine only.",
			(*walker).getToken, false},
		{"The partner creates a user",
			"A Partner User is one of the partner's own customers.", (*walker).createUser, false},
		{"The user accepts the terms",
			"The current versions of the operator's terms and of the banking data supplier's.", (*walker).acceptTerms, false},
		{"The partner subscribes to events",
			"The partner's server is notified of what happens to its users. This program is that server.",
			(*walker).subscribe, true},
		{"The user looks for a bank",
			"By country, then by the first letters of any word in its name.", (*walker).findBank, false},
		{"The partner asks for a connection",
			"The response has a link for the user. Nothing happens at the bank until the user opens it.",
			(*walker).connect, false},
		{"The user goes to the bank and back",
			"As a browser would: follow the link, fill in the bank's two pages, and return.", (*walker).visitBank, false},
		{"The service reads the accounts from the bank",
			"In the background. lastSuccessAt is set once everything has been read.", (*walker).awaitSync, false},
		{"The partner reads the accounts",
			"Money is in major units, with the bank's own digits.", (*walker).readAccounts, false},
		{"The partner reads the transactions",
			"Page by page, newest first. meta.pagination.nextToken is for the next page.", (*walker).readTransactions, false},
		{"The partner shows where the money goes",
			"Sums by category, kept up to date as transactions come in.", (*walker).readInsights, false},
		{"The partner shows the user's contracts",
			"Found in the transactions, as recurring payments to companies.", (*walker).readSubscriptions, false},
		{"The partner asks for a refresh, too early",
			"Banks limit how often accounts are read. The error says when it is possible again.", (*walker).refresh, false},
		{"The partner renews the connection before it expires",
			"The user goes to the bank once more. IDs stay the same, and data stays readable meanwhile.",
			(*walker).reconnect, false},
		{"The partner cancels a contract before the user has accepted the terms for that",
			"The error names the missing terms: the cancellation provider's.", (*walker).acceptCancelling, false},
		{"The partner shows what a cancellation needs",
			"The contract's cancellable names a product, whose template lists the letter's fields.",
			(*walker).chooseContract, false},
		{"The user previews the letter",
			"A dry run is the same request, but nothing is stored or sent.", (*walker).previewLetter, false},
		{"The user sends it",
			"The response comes at once. The letter is sent in the background, exactly once.",
			(*walker).cancelContract, false},
		{"The user cancels four more contracts, and finds the companies despite typos",
			"By post, by registered post and by fax. E-mail to the last one bounces.",
			(*walker).cancelOthers, false},
		{"The letter arrives by e-mail",
			"SES reports the delivery of each mail, so Sent becomes Delivered.", (*walker).awaitMail, false},
		{"The user withdraws a cancellation, in time and too late",
			"Possible until the carrier has the letter.", (*walker).withdraw, false},
		{"The company answers",
			"In the sandbox, you answer for it on a page.", (*walker).answer, false},
		{"The other letters arrive",
			"Post office and fax gateway report by callback. After a bounce, the next channel is tried.",
			(*walker).awaitOthers, false},
		{"The partner's server has received events meanwhile",
			"Each callback is signed (Standard Webhooks). The server acknowledges no others.", (*walker).readEvents, true},
		{"The partner asks for a simulated event",
			"Of any type, to test a receiver without waiting for something to happen.", (*walker).simulate, true},
		{"The partner follows a contract until its debits have stopped",
			"When can it end? Has it ended? What does that save? The user's clock is advanced by 90 days.",
			(*walker).followContract, true},
		{"Time passes for the user",
			"The partner advances the user's clock. What would have happened by then happens now.",
			(*walker).passTime, true},
		{"The partner's server sends an incomplete acknowledgement",
			"The service says what was missing, and retries twice: after 15 minutes and after 60.",
			(*walker).failAcknowledging, true},
	}
}
