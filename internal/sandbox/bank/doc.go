// Package bank is the sandbox's banks: an HTTP server that speaks NextGenPSD2
// XS2A 1.3.x account information as the Berlin Group describes it, with the
// redirect approach, so that outside production the service talks to a bank and
// not to a stand-in for one. It is strict: a header, field or state that the
// standard does not allow is refused with the standard's own code.
//
// # Addresses
//
// A bank's interface is at /sandbox/banks/{slug}, before /v1; /sandbox/banks
// lists banks and personas for a developer.
//
// # The consent pages
//
// scaRedirect leads to /sandbox/banks/{slug}/authorise/{authorisationId}. GET
// shows a page; both of its forms are posted to the same address as
// application/x-www-form-urlencoded, which a program may do without looking at
// the page:
//
//	persona=anna                           log in; answers 303 to the page again
//	customer=7                             optional, goes with persona
//	decision=approve&account[]=current     answers 303 to TPP-Redirect-URI
//	decision=refuse                        answers 303 to TPP-Nok-Redirect-URI,
//	                                       or TPP-Redirect-URI where there is none
//
// One request may carry persona and decision together. The values of account[]
// are the keys of the persona's accounts: current, savings, card, joint,
// dollars. A form that cannot be accepted comes back with status 422 and says
// why; a link that is decided, expired or unknown answers 409, 410 or 404.
//
// # Customers
//
// The standard ends a customer's former recurring consent when a new one is
// authorised. The customer is the persona together with the customer number of
// the log-in form. Where that is left empty it is the number that a cookie keeps
// for the browser: whoever comes again with the same browser ends the former
// consent, and others who pick the same persona do not. A number typed in makes
// one customer of several browsers, or several of one.
//
// # The control page
//
// /sandbox/control lists the consents that were approved in the last 30 days,
// newest first, 25 on a page, with the connection that each is for. Each has a
// page of its own, at /sandbox/control/{id}, whose forms tell the bank how to
// behave. A program posts the same fields to that address, as
// application/x-www-form-urlencoded:
//
//	action=expire          the consent's last day was yesterday
//	action=revoke          the customer withdraws the consent
//	action=require-sca     reads answer 401 CONSENT_INVALID; the consent stays valid
//	action=reissue-ids     accounts and rows get new ids and keep their content
//	action=book-pending    the account's pending rows are booked today
//	action=vanish-pending  the account's oldest pending row is gone for good
//	action=add-pending     a new pending row, booked by itself after some days
//	action=add-booked      a new row, booked today
//	action=throttle        reads answer 429
//	action=fail            reads answer 500
//	action=garble          reads answer 200 with broken JSON
//	action=hang            reads answer too late
//	action=normal          ends trouble and SCA
//	account=savings        the account whose rows are meant; else the first one
//	minutes=10             how long trouble lasts, from 1 to 1440; else 10
//
// The answer is 303 to the consent's page; 422 to a form that makes no sense, and
// 409 to one that cannot be carried out: the consent has ended, no row is
// pending, or the rows have been changed too often. Either page answers JSON to
// a GET that accepts application/json: the list as {"consents": […], "next": the
// path of older ones or ""}, and a consent as
//
//	{"id", "href", "bank", "persona", "customer", "connectionId", "status",
//	 "approvedAt", "scaDue", "trouble", "troubleEnds"}
//
// The standard has no word for SCA that is due again. The bank answers as banks
// do that want a new consent: reads are refused as CONSENT_INVALID while the
// status stays "valid", until the customer approves a new consent.
//
// Orders concern one consent. What became of ids and rows is the customer's and
// goes over to the customer's next recurring consent.
package bank
