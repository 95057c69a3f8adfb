// Package mailroom simulates what the sandbox's carriers, the post office and the fax
// gateway, have in common. It stores the letters that they receive, takes them through
// their states as time passes, notifies the service, and shows them to a developer, who
// can choose what happens to each.
//
// # Time
//
// The sandbox is a Lambda function: nothing runs between two calls. A later change is
// scheduled as a Step, which a queue delivers when it is due; see Processor. A step
// names the state that it ends. If it arrives twice or too late, the letter is already
// in another state and nothing changes.
//
// # The pages
//
// /sandbox/letters lists the letters and faxes of the last 30 days, newest first, 25 on
// a page, and has a form for the behaviour with new letters. Each letter has its own
// page at /sandbox/letters/{id}, with its document at …/file.pdf and forms that choose
// what happens to it. A program can post the same fields as
// application/x-www-form-urlencoded:
//
//	POST /sandbox/letters/{id}
//	action=deliver         the letter arrives
//	action=bounce          the letter is sent and returned; a fax fails after all retries
//	action=reject          the carrier refuses to send it; a fax fails immediately
//	action=delay           nothing happens for a few minutes, then it continues
//	action=lose            its state never changes again
//	minutes=10             duration of delay, from 1 to 1440; default 10
//
//	POST /sandbox/letters
//	behaviour=normal       ends any other behaviour
//	behaviour=reject       new letters are rejected
//	behaviour=bounce       new letters are sent and returned
//	behaviour=delay        new letters wait until the time is over
//	behaviour=lose         new letters are accepted and never change state again
//	behaviour=throttle     the interface returns 429 with Retry-After
//	behaviour=fail         the interface returns 500 and does nothing
//	behaviour=hang         the interface handles requests but responds too late
//	carrier=post           or fax; default both
//	minutes=10             duration, from 1 to 1440; default 10
//
// The response is 303 to the page, 422 if the form is invalid, and 409 if the action is
// not possible in the letter's state. Either page returns JSON to a GET that accepts
// application/json: the list as {"letters": […], "settings": [{"carrier", "behaviour",
// "until"}], "next": the path of the next page or ""}, and a letter as
//
//	{"id", "href", "file": the path of the document or "", "carrier", "how":
//	 "Mail", "RegisteredMail" or "Fax", "to", "cancellationId", "state", "createdAt",
//	 "updatedAt", "pages", "lost", "heldUntil", "history": [{"state", "at"}],
//	 "notices": [{"event", "at", "attempts", "acknowledged", "lastStatus"}]}
//
// The cancellation and the partner are known if the sender names them: a fax in the labels
// cancellationId and partnerId, a letter in its file_original_name, which starts with
// <cancellationId>.<partnerId>. (a UUID anywhere in the name is a cancellation, too).
//
// # Whose letters
//
// On a developer's own machine everybody sees all letters. In an environment that partners
// share, a visitor signs in as a partner (package visitor) and sees only its letters. Any
// other letter is not found. The partner's behaviours apply to its own new letters; those
// of the whole interface (throttle, fail, hang) cannot be chosen there. Without a session
// a GET or POST is answered with 303 to the page to sign in, or with 401 if it accepts
// JSON.
package mailroom
