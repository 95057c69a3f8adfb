// Package carrier hands letters to those who bring them: e-mail to Amazon SES,
// paper to Pingen, faxes to Sinch. Each is an adapter behind
// cancellation.Carrier, and each turns what its carrier reports later into a
// cancellation.Report.
//
// No adapter hands a letter over twice. Where a try ended and nobody knows how,
// the next one finds out first, each in the way that its carrier allows. Errors
// hold the carriers' codes and the package's own words, never what a carrier
// wrote, and nothing of the letter.
//
// # E-mail: Amazon SES, API v2
//
// SendEmail with Content.Raw (the MIME message), Destination.ToAddresses (one),
// ConfigurationSetName and the EmailTags cancellationId and shipmentId. SES
// knows no idempotency: it is called once, without the SDK's retries, and after
// a try of which nobody knows the end it is left alone for 15 minutes, in which
// a Send event would have settled it. Events come over EventBridge (source
// aws.ses; detail-type Email Sent, Email Delivered, Email Bounced and so on);
// ParseSESEvent reads their detail.
//
// Sources: SES API v2 reference, SendEmail; SES developer guide, "Contents of
// event data" and "Monitoring using EventBridge".
//
// # Mail and registered mail: Pingen API v2
//
// All bodies but the first two are JSON:API (application/vnd.api+json), and all
// calls but the first two carry Authorization: Bearer.
//
//	POST  {IdentityURL}/auth/access-tokens   (application/x-www-form-urlencoded)
//	      grant_type=client_credentials&client_id=…&client_secret=…&scope=letter
//	  200 {"token_type":"Bearer","expires_in":43200,"access_token":"…"}
//	PUT   <url of the upload>                (application/pdf, no credentials)
//	  2xx
//	GET   {BaseURL}/file-upload
//	  200 {"data":{"id":"…","type":"file_uploads","attributes":
//	      {"url":"…","url_signature":"…","expires_at":"…"}}}
//	POST  {BaseURL}/organisations/{organisationId}/deliveries/letters
//	      Idempotency-Key: <shipment id>
//	      {"data":{"type":"letters","attributes":{"file_original_name":
//	      "<cancellation id>-Kuendigung.pdf",
//	      "file_url":"…","file_url_signature":"…","address_position":"left",
//	      "auto_send":false,"delivery_product":"fast","print_mode":"simplex",
//	      "print_spectrum":"grayscale"}}}
//	      and for registered mail also "meta_data":{"recipient":{"name","street",
//	      "number","pobox","zip","city","country"},"sender":{the same}}, where
//	      street, number and pobox may be left out
//	  201 {"data":{"id":"<uuid>","type":"letters","attributes":{"status":"validating",
//	      "tracking_number":null,…}}}, with Idempotent-Replayed: true where it is the
//	      answer to an earlier call with that key; 400, 409, 422 or a repeated
//	      failure are met with one more try under a key of its own
//	GET   …/deliveries/letters/{id}
//	  200 the same
//	PATCH …/deliveries/letters/{id}/send
//	      {"data":{"id":"…","type":"letters","attributes":{"delivery_product":"fast",
//	      "print_mode":"simplex","print_spectrum":"grayscale"}}}, with meta_data as above
//	  200 the same as GET
//	PATCH …/deliveries/letters/{id}/cancel   (no body)
//	  202, or 4xx where it is too late or too early
//	DELETE …/deliveries/letters/{id}
//	  204, 404 where it is gone, another 4xx where it may not be deleted
//
// The letter is created unsent, its id is noted, and only then is it sent, so
// that the next try reads its status and knows. Pingen checks a letter after it
// was created: validating and fixing mean to come again, valid to send;
// submitted, awaiting_credits, accepted, inspection, processing, printing,
// transferring, sent and delivered that it was sent; action_required, invalid,
// unprintable, rejected, expired, cancelling, cancelled, cancelled_expired and
// undeliverable that it will not arrive. Pingen publishes no complete list: any
// other status leaves the letter unclear.
//
// The delivery products are Pingen's own names (cheap, fast, bulk, premium,
// registered), which it translates into the product of the post in the country
// of the recipient; where it has none there, the letter ends as
// action_required. Mail is fast, as a cancellation has a day to keep;
// RegisteredMail is registered. The names by post (postag_registered,
// dpag_standard and so on) belong to older versions of the API.
//
// The paths were …/organisations/{organisationId}/letters until July 2026;
// the short form still answers but is documented no more.
//
// Webhooks are POSTs (application/vnd.api+json) with the header Signature: the
// HMAC-SHA256 of the body under the signing key, in hexadecimal.
//
//	{"data":{"id":"…","type":"webhook_sent","attributes":{"url":"…",
//	"created_at":"2026-07-29T09:42:48+0200"},"relationships":{"organisation":…,
//	"deliverable":{"data":{"id":"<letter id>","type":"letters"}},
//	"event":{"data":{"id":"…","type":"deliverables_events"}}}},
//	"included":[{"type":"letters","id":"…","attributes":{"tracking_number":…}},
//	{"type":"deliverables_events","id":"…","attributes":{"code":"…"}}]}
//
// type is webhook_sent, webhook_delivered, webhook_undeliverable or
// webhook_issues; the relationship was called letter, and the event's type
// letters_events, until July 2026.
//
// Sources: https://api.pingen.com/documentation, the SDKs that Pingen publishes
// (github.com/pingencom, for Go, Rust and n8n; their tests hold the documented
// payloads), and for the statuses and the change of July 2026, of which the
// documentation says nothing, github.com/AMANDA-Technology/PingenApiNet.
//
// # Fax: Sinch Fax API v3
//
// All calls carry Authorization: Basic with key id and key secret. BaseURL ends
// in /v3.
//
//	POST {BaseURL}/projects/{projectId}/faxes   (application/json)
//	     {"to":"+49…","files":[{"file":"<base64>","fileType":"PDF"}],
//	     "labels":{"cancellationId":"…","shipmentId":"…"},"maxRetries":3,
//	     "callbackUrl":"…","callbackUrlContentType":"application/json",
//	     "headerTimeZone":"Europe/Berlin","resolution":"FINE"},
//	     with "from" and "serviceId" where they are configured
//	 200 {"id":"01HDF…","status":"IN_PROGRESS",…}
//	GET  …/faxes?createTime=2026-11-20&direction=OUTBOUND&pageSize=1000&to=%2B49…
//	     and then page=<page, or pageNumber, of the answer + 1> until totalPages
//	     pages were read
//	 200 {"faxes":[{"id","labels","status",…}],"page":1,"totalPages":1,…}
//	GET  …/faxes/{id}
//	 200 {"id","status","labels","errorType","errorCode","completedTime",…}
//	DELETE …/faxes/{id}/file
//	 204, 404 where it is gone
//
// The API knows no idempotency: after a try of which nobody knows the end, the
// faxes of its day to that number are listed and the one with the shipment's
// label is looked for, two minutes after the try at the earliest.
//
// callbackUrl is {CallbackBaseURL}/carriers/v1/fax/{cancellationId}/{shipmentId}/{token}.
// Sinch signs nothing, so the token is an HMAC of the two ids, and of the
// callback (JSON, or a form with the part fax) only fax.id is read:
//
//	{"event":"FAX_COMPLETED","eventTime":"…","fax":{"id":"01HDF…",…},"files":[…]}
//
// What became of the fax is then read from the API. status is QUEUED,
// IN_PROGRESS, COMPLETED or FAILURE.
//
// Source: the OpenAPI description of the Fax API 3.0 at
// https://developers.sinch.com/docs/fax/api-reference/fax.
package carrier
