// Package mailroom keeps what the sandbox's carriers were given, the post office
// and the fax gateway, moves it on as time passes, tells the service what has
// become of it, and shows it to a developer, who can say what is to become of it.
//
// # Time
//
// The sandbox is a Lambda function: nothing runs between two calls. What comes
// later is asked for as a Step, which a queue brings back when it is due; see
// Processor. A step says which state it leads out of. One that comes twice, or too
// late, finds the letter elsewhere and changes nothing.
//
// # The pages
//
// /sandbox/letters lists what arrived in the last 30 days, newest first, 25 on a
// page, and takes settings for letters to come. Each letter has a page of its
// own, at /sandbox/letters/{id}, with its document at …/file.pdf and forms that
// tell the carrier what becomes of it. A program posts the same fields, as
// application/x-www-form-urlencoded:
//
//	POST /sandbox/letters/{id}
//	action=deliver         it has arrived
//	action=bounce          it was sent and has come back; a fax fails after all retries
//	action=reject          the carrier will not send it; a fax fails at once
//	action=delay           nothing happens for some minutes, then it goes on
//	action=lose            nothing is ever heard of it again
//	minutes=10             goes with delay, from 1 to 1440; else 10
//
//	POST /sandbox/letters
//	behaviour=normal       ends any other
//	behaviour=reject       letters that come are rejected
//	behaviour=bounce       letters that come are sent and come back
//	behaviour=delay        letters that come wait until the time is over
//	behaviour=lose         letters that come are taken and never heard of again
//	behaviour=throttle     the interface answers 429 with Retry-After
//	behaviour=fail         the interface answers 500 and does nothing
//	behaviour=hang         the interface does what it is asked and answers too late
//	carrier=post           or fax; both where it is left out
//	minutes=10             how long, from 1 to 1440; else 10
//
// The answer is 303 to the page; 422 to a form that makes no sense, and 409 to an
// order that cannot be carried out in the letter's state. Either page answers
// JSON to a GET that accepts application/json: the list as {"letters": […],
// "settings": [{"carrier", "behaviour", "until"}], "next": the path of older ones
// or ""}, and a letter as
//
//	{"id", "href", "file": the path of the document or "", "carrier", "how":
//	 "Mail", "RegisteredMail" or "Fax", "to", "cancellationId", "state", "createdAt",
//	 "updatedAt", "pages", "lost", "heldUntil", "history": [{"state", "at"}],
//	 "notices": [{"event", "at", "attempts", "acknowledged", "lastStatus"}]}
//
// The cancellation is known when the sender names it: a fax by the label
// cancellationId, a letter by a UUID in its file_original_name.
package mailroom
