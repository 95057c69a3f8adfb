// Package carrier sends letters: e-mail by Amazon SES, paper by Pingen, faxes by
// Sinch. Each is an adapter that implements dispatch.Carrier and turns its
// carrier's later reports into dispatch.Report.
//
// No adapter hands a letter over twice. If the result of a try is unknown, the next try first finds it out, in the
// way that the carrier offers. Errors contain the carriers' codes and the package's own words, but no text from a
// carrier and nothing from the letter.
//
// # E-mail: Amazon SES, API v2
//
// SendEmail with Content.Raw (the MIME message), Destination.ToAddresses (one),
// ConfigurationSetName and the EmailTags cancellationId and shipmentId. SES has no
// idempotency, so SendEmail is called once, without the SDK's retries. After a try
// whose result is unknown, the next one waits 15 minutes for a Send event. Events
// arrive by EventBridge (source aws.ses; detail-type Email Sent, Email Delivered,
// Email Bounced and so on). ParseSESEvent reads their detail.
//
// Sources: SES API v2 reference, SendEmail; SES developer guide, "Contents of
// event data" and "Monitoring using EventBridge".
//
// # Mail and registered mail: Pingen API v2
//
// All calls but the first two use JSON:API (application/vnd.api+json) and
// Authorization: Bearer.
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
//	      "<cancellation id>.<partner id>.Kuendigung.pdf",
//	      "file_url":"…","file_url_signature":"…","address_position":"left",
//	      "auto_send":false,"delivery_product":"fast","print_mode":"simplex",
//	      "print_spectrum":"grayscale"}}}
//	      and for registered mail also "meta_data":{"recipient":{"name","street",
//	      "number","pobox","zip","city","country"},"sender":{the same}}, where
//	      street, number and pobox are optional
//	  201 {"data":{"id":"<uuid>","type":"letters","attributes":{"status":"validating",
//	      "tracking_number":null,…}}}, with Idempotent-Replayed: true if it repeats
//	      the response to an earlier call with this key. After 400, 409, 422 or a
//	      repeated failure we try once more with a new key.
//	GET   …/deliveries/letters/{id}
//	  200 the same
//	PATCH …/deliveries/letters/{id}/send
//	      {"data":{"id":"…","type":"letters","attributes":{"delivery_product":"fast",
//	      "print_mode":"simplex","print_spectrum":"grayscale"}}}, with meta_data as above
//	  200 the same as GET
//	PATCH …/deliveries/letters/{id}/cancel   (no body)
//	  202, or 4xx if it is too late or too early
//	DELETE …/deliveries/letters/{id}
//	  204, 404 if it is gone, another 4xx if it may not be deleted
//
// The adapter creates the letter unsent, notes its ID and only then sends it, so
// that the next try can read its status. Pingen checks a letter after it was
// created. The statuses mean:
//
//   - validating, fixing: try again later.
//   - valid: ready to send.
//   - submitted, awaiting_credits, accepted, inspection, processing, printing,
//     transferring, sent, delivered: the letter was sent.
//   - action_required, invalid, unprintable, rejected, expired, cancelling,
//     cancelled, cancelled_expired, undeliverable: the letter will not arrive.
//
// Pingen publishes no complete list. Any other status leaves the letter unclear.
//
// The delivery products are Pingen's own names (cheap, fast, bulk, premium,
// registered). Pingen maps them to a product of the postal service in the
// recipient's country. If there is none, the letter ends as action_required. Mail is
// sent as fast, because a cancellation may have a deadline; RegisteredMail is sent
// as registered. The names by postal service (postag_registered, dpag_standard and
// so on) belong to older versions of the API.
//
// The paths were …/organisations/{organisationId}/letters until July 2026. The short
// form still works but is no longer documented.
//
// Webhooks are POST requests (application/vnd.api+json). Their header Signature is
// the HMAC-SHA256 of the body with the signing key, in hexadecimal.
//
//	{"data":{"id":"…","type":"webhook_sent","attributes":{"url":"…",
//	"created_at":"2026-07-29T09:42:48+0200"},"relationships":{"organisation":…,
//	"deliverable":{"data":{"id":"<letter id>","type":"letters"}},
//	"event":{"data":{"id":"…","type":"deliverables_events"}}}},
//	"included":[{"type":"letters","id":"…","attributes":{"tracking_number":…}},
//	{"type":"deliverables_events","id":"…","attributes":{"code":"…"}}]}
//
// type is webhook_sent, webhook_delivered, webhook_undeliverable or webhook_issues.
// Until July 2026 the relationship was called letter, and the event's type was
// letters_events.
//
// Sources: https://api.pingen.com/documentation and the SDKs that Pingen publishes
// (github.com/pingencom, for Go, Rust and n8n; their tests contain the documented
// payloads). The statuses and the change of July 2026 are missing there; they come
// from github.com/AMANDA-Technology/PingenApiNet.
//
// # Fax: Sinch Fax API v3
//
// All calls have Authorization: Basic with key ID and key secret. BaseURL ends with
// /v3.
//
//	POST {BaseURL}/projects/{projectId}/faxes   (application/json)
//	     {"to":"+49…","files":[{"file":"<base64>","fileType":"PDF"}],
//	     "labels":{"cancellationId":"…","shipmentId":"…","partnerId":"…"},"maxRetries":3,
//	     "callbackUrl":"…","callbackUrlContentType":"application/json",
//	     "headerTimeZone":"Europe/Berlin","resolution":"FINE"},
//	     with "from" and "serviceId" if they are configured
//	 200 {"id":"01HDF…","status":"IN_PROGRESS",…}
//	GET  …/faxes?createTime=2026-11-20&direction=OUTBOUND&pageSize=1000&to=%2B49…
//	     and then page=<page, or pageNumber, of the response + 1> until totalPages
//	     pages have been read
//	 200 {"faxes":[{"id","labels","status",…}],"page":1,"totalPages":1,…}
//	GET  …/faxes/{id}
//	 200 {"id","status","labels","errorType","errorCode","completedTime",…}
//	DELETE …/faxes/{id}/file
//	 204, 404 if it is gone
//
// The API has no idempotency. After a try whose result is unknown, the next one
// lists the faxes of that day to that number and looks for the shipment's label, two
// minutes after the try at the earliest.
//
// callbackUrl is {CallbackBaseURL}/carriers/v1/fax/{cancellationId}/{shipmentId}/{token}.
// Sinch signs nothing, so the token is an HMAC of the two IDs. Only fax.id is read
// from the callback, which is JSON or a form with the part fax:
//
//	{"event":"FAX_COMPLETED","eventTime":"…","fax":{"id":"01HDF…",…},"files":[…]}
//
// The result is then read from the API. status is QUEUED, IN_PROGRESS, COMPLETED or
// FAILURE.
//
// Source: the OpenAPI description of the Fax API 3.0 at
// https://developers.sinch.com/docs/fax/api-reference/fax.
package carrier
