// Package bank is the sandbox's banks: an HTTP server that implements the account
// information part of NextGenPSD2 XS2A 1.3.x, as the Berlin Group describes it, with the
// redirect approach (some: OAuth 2.0, or an app), so that outside production the service
// runs the same client code as in production. It is strict: it rejects a header, field or
// state that the standard does not allow, with the standard's own code.
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
// Banks with OAuth 2.0 send the customer there from /sandbox/banks/{slug}/oauth/authorize,
// and from there to the client with a code. The page of a decoupled authorisation is at
// /sandbox/banks/{slug}/app, which asks for the code in the bank's message:
//
//	code=4F7A2C                            returns 303 to the consent page
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
// /sandbox/control lists the consents that were approved in the last 30 days, each with a
// page of its own, whose forms tell the bank how to behave. docs/sandbox.md lists the
// forms and the JSON for programs.
//
// The standard has no code for SCA that is due again. The bank behaves like banks that
// want a new consent: reads fail with CONSENT_INVALID while the status stays "valid",
// until the customer approves a new consent.
//
// An action applies to one consent. Changes to IDs and rows belong to the customer and
// carry over to the customer's next recurring consent.
package bank
