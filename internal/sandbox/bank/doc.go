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
package bank
