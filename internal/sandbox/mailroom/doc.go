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
// /sandbox/letters lists mail, letters and faxes of the last 30 days, newest first, and has
// a form for the behaviour with new ones. Each letter has its own page, with its document
// and forms that choose what happens to it. docs/sandbox.md lists the forms and the JSON
// for programs. Package mailbox adds the mail, which nobody here decides about.
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
