package main

import "context"

// step is one of the journey; do gives what it led to.
type step struct {
	title, explanation string
	do                 func(*walker, context.Context) string
}

func journey() []step {
	return []step{
		{"The partner gets an access token",
			"OAuth 2.0 client credentials. The sandbox's are public and work on your machine only.", (*walker).getToken},
		{"The partner creates a user",
			"A Partner User stands for one of the partner's own customers.", (*walker).createUser},
		{"The user accepts the terms",
			"Of the operator and of the supplier of banking data, in the versions in force.", (*walker).acceptTerms},
		{"The partner subscribes to events",
			"A server of the partner is told of what happens to its users. This program is that server.", (*walker).subscribe},
		{"The user looks for a bank",
			"By country, then by the first letters of any word of its name.", (*walker).findBank},
		{"The partner asks for a connection",
			"The answer is a link for the user. The bank hears of it when the user opens it.", (*walker).connect},
		{"The user goes to the bank and back",
			"What a browser does: follow the link, fill in the bank's two pages, follow back.", (*walker).visitBank},
		{"The service reads the accounts from the bank",
			"In the background. lastSuccessAt is set when it has read everything.", (*walker).awaitSync},
		{"The partner reads the accounts",
			"Money is in major units, with the bank's own digits.", (*walker).readAccounts},
		{"The partner reads the transactions",
			"Page by page, newest first: meta.pagination.nextToken leads on.", (*walker).readTransactions},
		{"The partner shows where the money goes",
			"Sums by category, kept up to date as transactions come in.", (*walker).readInsights},
		{"The partner shows the contracts that were found",
			"Payments that come again and again to somebody whom one can give notice.", (*walker).readSubscriptions},
		{"The partner asks for a refresh, too early",
			"A bank wants some time between two. The refusal says when.", (*walker).refresh},
		{"The partner renews the connection before it runs out",
			"The same way to the bank once more. Ids stay, and data stays readable meanwhile.", (*walker).reconnect},
		{"The partner asks to cancel, before the user has agreed",
			"Terms of the cancellation provider come first. The refusal names them.", (*walker).acceptCancelling},
		{"The partner shows what it takes to end a contract",
			"Its cancellable leads to a product, whose template lists all that the letter needs.", (*walker).chooseContract},
		{"The user looks at the letter before it goes out",
			"A dry run: the same request, but nothing is stored or sent.", (*walker).previewLetter},
		{"The user sends it",
			"The answer comes at once; the letter goes out in the background, and exactly once.", (*walker).cancelContract},
		{"The user leaves four more companies, some found in spite of a typo",
			"They take letters by post, by registered post and by fax; the e-mail of the last one bounces.",
			(*walker).cancelOthers},
		{"The letter arrives by e-mail",
			"SES tells what becomes of each mail; so Sent becomes Delivered.", (*walker).awaitMail},
		{"The user changes their mind, in time and too late",
			"A letter can be taken back until a carrier has it.", (*walker).withdraw},
		{"The company answers",
			"In the sandbox by a page, where somebody says what a company writes to the user.", (*walker).answer},
		{"The other letters arrive",
			"Post office and fax gateway report by callbacks; after a bounce the next way is taken.", (*walker).awaitOthers},
		{"What the partner's server was told meanwhile",
			"Each callback is signed (Standard Webhooks); one that is not would not be acknowledged.", (*walker).readEvents},
		{"The partner asks for a simulated event",
			"Of any type, to try a receiver without waiting for something to happen.", (*walker).simulate},
		{"The partner's server forgets a part of its acknowledgement",
			"The service says what was missing, and tries twice more: after 15 minutes and after 60.",
			(*walker).failAcknowledging},
	}
}
