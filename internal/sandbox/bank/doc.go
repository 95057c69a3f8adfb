// Package bank is the sandbox's banks: an HTTP server that implements the account
// information part of NextGenPSD2 XS2A 1.3.x, as the Berlin Group describes it, with the
// redirect approach, so that outside production the service runs the same client code
// as in production. It is strict: it rejects a header, field or state that the standard
// does not allow, with the standard's own code.
//
// # Addresses
//
// A bank's interface is at /sandbox/banks/{slug}, before /v1; /sandbox/banks lists banks
// and personas for a developer.
//
// # The consent pages
//
// scaRedirect points to /sandbox/banks/{slug}/authorise/{authorisationId}. GET shows a
// page; both of its forms are posted to the same address as
// application/x-www-form-urlencoded, and a program can post them without reading the
// page:
//
//	persona=anna                           log in; returns 303 to the page again
//	customer=7                             optional, only with persona
//	decision=approve&account[]=current     returns 303 to TPP-Redirect-URI
//	decision=refuse                        returns 303 to TPP-Nok-Redirect-URI,
//	                                       or TPP-Redirect-URI if there is none
//
// One request may carry persona and decision together. The values of account[] are the
// keys of the persona's accounts: current, savings, card, joint, dollars. An invalid form
// is shown again with status 422 and the reason. A link that was already used, has
// expired or is unknown returns 409, 410 or 404.
//
// # Customers
//
// The standard ends a customer's previous recurring consent when a new one is
// authorised. A customer is the persona together with the customer number of the login
// form. If that is left empty, it is the number in the browser's cookie: a second consent
// from the same browser ends the first one, and other people who pick the same persona
// have their own consents. With a number, several browsers can be one customer, or one
// browser several.
//
// # The control page
//
// /sandbox/control lists the consents that were approved in the last 30 days, newest
// first, 25 on a page, each with its connection. Each has its own page at
// /sandbox/control/{id}, whose forms tell the bank how to behave. A program can post the
// same fields to that address as application/x-www-form-urlencoded:
//
//	action=expire          the consent's last day was yesterday
//	action=revoke          the customer withdraws the consent
//	action=require-sca     reads return 401 CONSENT_INVALID; the consent stays valid
//	action=reissue-ids     accounts and rows get new IDs and keep their content
//	action=book-pending    the account's pending rows are booked today
//	action=vanish-pending  the account's oldest pending row disappears
//	action=add-pending     adds a pending row that is booked after a few days
//	action=add-booked      adds a row that is booked today
//	action=throttle        reads return 429
//	action=fail            reads return 500
//	action=block           reads return 403, which the service does not retry
//	action=garble          reads return 200 with broken JSON
//	action=hang            reads respond too late
//	action=normal          ends faults and required SCA
//	account=savings        the account whose rows change; default the first one
//	minutes=10             duration of a fault, from 1 to 1440; default 10
//
// The response is 303 to the consent's page, 422 if the form is invalid, and 409 if the
// action is not possible: the consent has ended, no row is pending, or the rows were
// changed too often. Either page returns JSON to a GET that accepts application/json: the
// list as {"consents": […], "next": the path of the next page or ""}, and a consent as
//
//	{"id", "href", "bank", "persona", "customer", "connectionId", "status",
//	 "approvedAt", "scaDue", "trouble", "troubleEnds"}
//
// The standard has no code for SCA that is due again. The bank behaves like banks that
// want a new consent: reads fail with CONSENT_INVALID while the status stays "valid",
// until the customer approves a new consent.
//
// An action applies to one consent. Changes to IDs and rows belong to the customer and
// carry over to the customer's next recurring consent.
package bank
