// Package faxgateway is the sandbox's fax carrier: an HTTP server that implements the
// Sinch Fax API v3, so that outside production the service runs the same client code as
// in production. It rejects what the real API rejects, in the same format.
//
// Source: the OpenAPI document of the Fax API 3.0
// (developers.sinch.com/docs/fax/api-reference) with its pages on errors and
// notifications.
//
// # Address and authentication
//
//	https://fax.api.sinch.com → /sandbox/fax
//
// HTTP Basic with key ID and key secret. If they are missing or wrong, or for another
// project, the response is 401 with an empty body.
//
// # Calls
//
//	POST /sandbox/fax/v3/projects/{projectId}/faxes
//
// with multipart/form-data:
//
//	to=+4930123456       E.164
//	file=…               a part with a file name, at most one in the sandbox
//	labels={"key":"value"} or labels[key]=value
//	and the members below as text
//
// or application/json:
//
//	{"to":"+4930123456" or an array of one,
//	 "files":[{"file":base64,"fileType":"PDF"}] at most one in the sandbox,
//	 "contentUrl":"https://…" or an array,
//	 "from":"+49…", "labels":{"key":"value"},
//	 "callbackUrl":"https://[user:password@]…",
//	 "callbackUrlContentType":"multipart/form-data" (default)|"application/json",
//	 "maxRetries":0–5 (default 3), "retryDelaySeconds":30–300 (default 60),
//	 "headerText": at most 50 characters, "headerPageNumbers":bool,
//	 "headerTimeZone":…, "imageConversionMethod":"HALFTONE"|"MONOCHROME",
//	 "resolution":"FINE"|"SUPERFINE", "serviceId":…, "coverPageId":…,
//	 "coverPageData":{…}, "inProgressNotifications":bool}
//
// The response is 200 with the fax, "QUEUED". The sandbox is stricter than Sinch: one
// recipient and one document per fax (otherwise 422); a document of at most 300 KB
// (otherwise 413); nothing is fetched from a contentUrl, and such a fax fails with
// DOCUMENT_CONVERSION_ERROR 54; a document that is not a PDF fails with 129; and
// callbackUrl must point to this environment (otherwise 422), so that the sandbox sends
// documents nowhere else. An unknown member is 422.
//
//	GET    …/faxes?createTime=…&direction=OUTBOUND&status=COMPLETED&to=+4930&from=…
//	       &serviceId=…&labels[key]=value&pageSize=100&page=1
//	200 {"faxes":[…],"pageNumber":1,"totalPages":1,"pageSize":100,"totalItems":1},
//	newest first. to and from match prefixes. createTime is a year, month, day
//	or time, also with <= and >= (createTime>=2026-11-01); the default is the last
//	week. pageSize is 1–1000.
//	GET    …/faxes/{id}             200, the fax
//	GET    …/faxes/{id}/file        200 application/pdf, also under file.pdf; 404
//	                                when it has been deleted
//	DELETE …/faxes/{id}/file        204; the fax itself remains, without its document
//
// A fax:
//
//	{"id": 26 characters (a ULID), "direction":"OUTBOUND", "from","to",
//	 "numberOfPages","status":"QUEUED"|"IN_PROGRESS"|"COMPLETED"|"FAILURE",
//	 "price":{"amount":"0.07","currencyCode":"EUR"} once it is complete,
//	 "createTime","completedTime","pagesSentSuccessfully","headerText",
//	 "headerPageNumbers","headerTimeZone","retryDelaySeconds","labels",
//	 "callbackUrl" with its credentials masked,"callbackUrlContentType",
//	 "imageConversionMethod","errorType","errorCode" (a number),"errorMessage",
//	 "maxRetries","retryCount","hasFile","resolution","projectId","serviceId"}
//
// Members that do not apply are omitted. Times are RFC 3339 in UTC.
//
// Errors are 400, 401 (empty), 404, 405, 413, 415, 422, 429 (with Retry-After)
// and 500:
//
//	{"code":"422","error":"Invalid parameters","message":"…",
//	 "details":{"fieldViolations":[{"field":"to","description":"…"}]}}
//
// # States of a fax
//
//	QUEUED → IN_PROGRESS             after 1 s
//	IN_PROGRESS → COMPLETED          after 2 s more
//	IN_PROGRESS → FAILURE            on command: CALL_ERROR 34 (rejected), or
//	                                 CALL_ERROR 17 after all retries (bounced),
//	                                 without waiting for them
//
// # Callback
//
// POST to callbackUrl when a fax is complete or has failed, with the credentials of the
// URL as HTTP Basic. Sinch does not sign callbacks. As application/json:
//
//	{"event":"FAX_COMPLETED","eventTime":…,"fax":{…},
//	 "files":[{"file":base64,"fileType":"PDF"}]}
//
// As multipart/form-data: the parts event and eventTime (text), fax
// (application/json) and file (application/pdf). Without a 2xx status within 10 s
// (redirects are not followed), the callback is retried after 5, 10, 20 and 30 minutes
// and then 12 times every 6 hours, as Sinch does.
package faxgateway
