// Package postoffice is the sandbox's print-and-post carrier: an HTTP server that
// speaks the Pingen API v2, so that outside production the service talks to a
// carrier and not to a stand-in for one. What the real API refuses, it refuses,
// in the same shape.
//
// Sources: Pingen's documentation (api.pingen.com/documentation, version 2.0.0),
// its published clients (github.com/pingencom/pingen2-sdk-go and -rust), and the
// webhooks as they are on the wire since July 2026 (recorded in
// github.com/AMANDA-Technology/PingenApiNet).
//
// # Addresses
//
// Pingen has two hosts; here they are two paths:
//
//	identity.pingen.com → /sandbox/post/identity
//	api.pingen.com      → /sandbox/post
//
// # Token
//
//	POST /sandbox/post/identity/auth/access-tokens
//	Content-Type: application/x-www-form-urlencoded
//	grant_type=client_credentials&client_id=…&client_secret=…[&scope=letter]
//
//	200 {"token_type":"Bearer","expires_in":43200,"access_token":"…"}
//	400 {"error":"unsupported_grant_type"|"invalid_request"|"invalid_scope",
//	     "error_description":"…","message":"…"}
//	401 {"error":"invalid_client", …}
//
// A token without the scope letter is refused by the API with 403. Where no scope
// is asked for the token has it.
//
// # API
//
// Every call needs Authorization: Bearer; bodies both ways are
// application/vnd.api+json (JSON:API). A request body of another type is 415.
// Every answer has X-Request-Id. Errors are
//
//	{"errors":[{"code":"…","title":"…","detail":"…","source":{"pointer":"/data/attributes/…","parameter":"…"}}]}
//
// with 400 (not readable), 401, 403 (wrong scope, or not in the letter's present
// state), 404, 405, 409 (id or type of a body does not fit; an idempotency key in
// flight), 413, 415, 422 (invalid), 429 with Retry-After in seconds, and 500.
// Timestamps have an offset without a colon: 2026-11-20T12:00:00+0000.
//
//	GET /sandbox/post/file-upload
//	200 {"data":{"id":uuid,"type":"file_uploads","attributes":{"url":…,
//	     "url_signature":…,"expires_at":…},"links":{"self":…}}}
//
//	PUT <url>                       below /sandbox/post/uploads/, without a token
//	200, empty; 400, 403 and 413 with the XML of an object store. The body must
//	begin as a PDF and have 300 KB at most. An address is good for an hour.
//
//	POST /sandbox/post/organisations/{org}/deliveries/letters
//	{"data":{"type":"letters","attributes":{
//	   "file_original_name": 1–255 characters, "file_url":…, "file_url_signature":…,
//	   "address_position":"left"|"right", "auto_send":bool,
//	   "delivery_product":"fast"|"cheap"|"bulk"|"premium"|"registered" or a product
//	     of one post (postag_registered),
//	   "print_mode":"simplex"|"duplex", "print_spectrum":"color"|"grayscale",
//	   "sender_address":…, "meta_data":{"recipient":{…},"sender":{…}}}}}
//	201, the letter
//
// The last five are optional; product, mode and spectrum are needed where
// auto_send is true. recipient and sender have name, street, number, pobox, zip,
// city and country (two letters), of which name, zip, city and country are needed.
// A member that Pingen does not know is 422.
//
//	GET    …/deliveries/letters?page[number]=1&page[limit]=20&sort=-created_at
//	200 {"data":[…],"links":{first,last,prev,next,self},"meta":{current_page,
//	     last_page,per_page,from,to,total}}; at most 100 on a page. sort is
//	     created_at or -created_at (also the default); fields[…] is let pass and
//	     answered in full; filter, q and include are 400.
//	GET    …/deliveries/letters/{id}        200, the letter
//	PATCH  …/deliveries/letters/{id}/send   {"data":{"id","type":"letters",
//	       "attributes":{"delivery_product","print_mode","print_spectrum"[,"meta_data"]}}}
//	       200, the letter, "submitted"; 403 unless it is "valid"
//	PATCH  …/deliveries/letters/{id}/cancel 202, empty; 403 unless it is "submitted"
//	       or "processing"
//	DELETE …/deliveries/letters/{id}        204; 403 while it is "validating",
//	       "submitted", "processing", "printing" or "cancelling"
//	GET    …/deliveries/letters/{id}/file   302 to an address that gives the PDF
//	       without a token for five minutes
//
// The older paths without deliveries/ answer in the same way, as Pingen's do.
//
// Idempotency-Key (1 to 64 characters) on POST and PATCH: within 24 hours the
// same key with the same request gets the first answer again, with the header
// Idempotent-Replayed: true; with another request it is 422, and 409 while the
// first is under way. Pingen's documentation does not say what another request
// under the same key gets.
//
// A letter:
//
//	{"id":uuid,"type":"letters","attributes":{"status","file_original_name",
//	 "file_pages","address","address_position","country","delivery_product",
//	 "print_mode","print_spectrum","price_currency","price_value","paper_types",
//	 "fonts","source":"api","tracking_number","sender_address","submitted_at",
//	 "created_at","updated_at"},"relationships":{"organisation","events","batch"},
//	 "links":{"self"},"meta":{"abilities":{"self":{"cancel":"ok"|"state", …}}}}
//
// What is not known yet is null. Prices are those of nobody: 1.00 EUR.
//
// # The life of a letter
//
//	validating → valid | action_required | invalid       after 1 s
//	valid → submitted                                    by send or auto_send
//	submitted → processing → sent                        after 1 s and 2 s more
//	sent → delivered                                     after 2 s more, if registered
//	submitted, processing → cancelling → cancelled       by cancel, after 1 s
//	submitted, processing → rejected                     when told so
//	sent → undeliverable                                 when told so
//
// Checked by validation: the file can be read as a PDF and is not encrypted
// (else invalid), has 1 to 99 pages, all A4 upright within 2 mm, and has text in
// the window of the envelope on its first page: 20–105 mm from the left edge
// (from 105 mm with address_position right) and 40–90 mm from the top, which is
// the zone of DIN 5008 forms A and B (else action_required). That text is the
// letter's address; characters beyond U+00FF may come out wrong. Whether it is the address of anybody is not checked, nor are
// fonts, margins and colours.
//
// As on Pingen's staging host, file_original_name may ask for an end:
// …_simulate_undeliverable.pdf, …_simulate_unprintable.pdf (rejected),
// …_simulate_cancellable.pdf (stays submitted for ten minutes).
//
// # Webhooks
//
// Sent to <public address>/carriers/v1/pingen, for sent, delivered, issues
// (action_required, invalid, rejected) and undeliverable:
//
//	POST /carriers/v1/pingen
//	Content-Type: application/vnd.api+json
//	Signature: lower-case hex of HMAC-SHA256 over the body, keyed by the webhook's
//	  signing key (the text as it is)
//
//	{"data":{"type":"webhook_sent"|"webhook_delivered"|"webhook_issues"|
//	   "webhook_undeliverable","id":uuid,
//	   "attributes":{"reason": issues and undeliverable only,
//	     "corrected_address": null, undeliverable only, "url":…,"created_at":…},
//	   "relationships":{"organisation":{…},
//	     "deliverable":{"links":{"related":…},"data":{"type":"letters","id":…}},
//	     "letter": the same, "event":{"data":{"type":"deliverables_events","id":…}}}},
//	 "included":[the organisation, the letter, the event as deliverables_events,
//	   the event again as letters_events]}
//
// The event's attributes are code, name, producer, location, has_image, data,
// emitted_at, created_at and updated_at; code is one of
// transferred_to_distributor, delivered, undeliverable, content_failed_inspection,
// file_not_readable, file_not_a4_portrait, file_too_many_pages,
// address_not_found.
//
// Any status but 2xx, within 10 s and without following a redirect, is tried
// again after 1, 5, 10 minutes, 1, 2 and 4 hours, as Pingen does, with the same
// body. Registered letters get their tracking number with sent.
package postoffice
