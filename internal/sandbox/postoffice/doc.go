// Package postoffice is the sandbox's print-and-mail carrier: an HTTP server that
// implements the Pingen API v2, so that outside production the service runs the same
// client code as in production. It rejects what the real API rejects, in the same format.
//
// Sources: Pingen's documentation (api.pingen.com/documentation, version 2.0.0),
// its published clients (github.com/pingencom/pingen2-sdk-go and -rust), and real
// webhooks since July 2026 (recorded in
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
// The API rejects a token without the scope letter with 403. A token requested without
// a scope has all scopes.
//
// # API
//
// Every call needs Authorization: Bearer. Request and response bodies are
// application/vnd.api+json (JSON:API); a request body of another type is 415. Every
// response has X-Request-Id. Errors are
//
//	{"errors":[{"code":"…","title":"…","detail":"…",
//	    "source":{"pointer":"/data/attributes/…","parameter":"…"}}]}
//
// with 400 (malformed), 401, 403 (wrong scope, or not possible in the letter's state),
// 404, 405, 409 (the body has a wrong id or type; an idempotency key is in use), 413,
// 415, 422 (invalid), 429 with Retry-After in seconds, and 500. Timestamps have an
// offset without a colon: 2026-11-20T12:00:00+0000.
//
//	GET /sandbox/post/file-upload
//	200 {"data":{"id":uuid,"type":"file_uploads","attributes":{"url":…,
//	     "url_signature":…,"expires_at":…},"links":{"self":…}}}
//
//	PUT <url>                       below /sandbox/post/uploads/, without a token
//	200, empty; 400, 403 and 413 with the XML of an object store. The body must be a
//	PDF of at most 300 KB. The URL is valid for an hour.
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
// The last five are optional; product, mode and spectrum are required if auto_send is
// true. recipient and sender have name, street, number, pobox, zip, city and country
// (two letters); name, zip, city and country are required. An unknown member is 422.
//
//	GET    …/deliveries/letters?page[number]=1&page[limit]=20&sort=-created_at
//	200 {"data":[…],"links":{first,last,prev,next,self},"meta":{current_page,
//	     last_page,per_page,from,to,total}}; at most 100 on a page. sort is
//	     created_at or -created_at (the default); fields[…] is accepted, but the
//	     response has all fields; filter, q and include are 400.
//	GET    …/deliveries/letters/{id}        200, the letter
//	PATCH  …/deliveries/letters/{id}/send   {"data":{"id","type":"letters",
//	       "attributes":{"delivery_product","print_mode","print_spectrum"[,"meta_data"]}}}
//	       200, the letter, "submitted"; 403 unless it is "valid"
//	PATCH  …/deliveries/letters/{id}/cancel 202, empty; 403 unless it is "submitted"
//	       or "processing"
//	DELETE …/deliveries/letters/{id}        204; 403 while it is "validating",
//	       "submitted", "processing", "printing" or "cancelling"
//	GET    …/deliveries/letters/{id}/file   302 to a URL that returns the PDF
//	       without a token for five minutes
//
// The older paths without deliveries/ behave the same, as they do at Pingen.
//
// Idempotency-Key (1 to 64 characters) on POST and PATCH: for 24 hours, the same request
// with the same key returns the first response again, with the header
// Idempotent-Replayed: true. A different request with the same key is 422 (our
// choice: Pingen's documentation does not say), and 409 while the first is in progress.
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
// Unknown values are null. The price is invented: 1.00 EUR.
//
// # States of a letter
//
//	validating → valid | action_required | invalid       after 1 s
//	valid → submitted                                    by send or auto_send
//	submitted → processing → sent                        after 1 s and 2 s more
//	sent → delivered                                     after 2 s more, if registered
//	submitted, processing → cancelling → cancelled       by cancel, after 1 s
//	submitted, processing → rejected                     on command
//	sent → undeliverable                                 on command
//
// Validation checks that the file is a readable PDF without encryption (otherwise
// invalid), has 1 to 99 pages, all A4 portrait within 2 mm, and has text in the window of
// the envelope on its first page (otherwise action_required): 20–105 mm from the left
// edge (from 105 mm with address_position right) and 40–90 mm from the top, which is the
// zone of DIN 5008 forms A and B. That text is the letter's address; characters beyond
// U+00FF may be wrong. Validation does not check whether the address exists, nor fonts,
// margins and colours.
//
// As on Pingen's staging host, file_original_name may choose the outcome:
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
// Without a 2xx status within 10 s (redirects are not followed), the webhook is retried
// after 1, 5 and 10 minutes and 1, 2 and 4 hours, as Pingen does, with the same body.
// Registered letters get their tracking number when they are sent.
package postoffice
