package console

import (
	"fmt"
	"net/url"
	"strings"

	"aviso/internal/notification"
)

// advice explains how a callback ended to somebody who is woken up by it.
type advice struct {
	Badge Badge
	// Why says why it was not an acknowledgement.
	Why string
	// Do says what to do, the likeliest first.
	Do []string
	// Answer says that an example of an acknowledgement helps, Probe that calling the address
	// by hand tells more.
	Answer, Probe bool
}

// acknowledgement is the answer that ends a delivery.
const acknowledgement = `{"isAcknowledged": true, "timestamp": "2026-03-02T09:35:00Z"}`

// adviceOn explains the end of an attempt.
func adviceOn(a notification.Attempt) advice {
	switch a.Outcome {
	case notification.OutcomeAcknowledged:
		return advice{Badge: Badge{Good, "Acknowledged"}, Why: "Your server has acknowledged the event. There is nothing to do."}
	case notification.OutcomeNotAcknowledged:
		return advice{
			Badge: Badge{Bad, "Said no"},
			Why:   "Your server answered with isAcknowledged set to false: it says itself that it did not take the event.",
			Do: []string{
				"Find the event ID in your server's log. The reason is in your own code.",
				"Acknowledge every event as soon as it is stored: also one that you had before, or that you do not need. " +
					"False only brings the same event again.",
			},
		}
	case notification.OutcomeInvalidAcknowledgement:
		return invalidAcknowledgement(a.Detail)
	case notification.OutcomeHTTPError:
		return statusAdvice(a.HTTPStatus)
	case notification.OutcomeResponseTooLarge:
		return advice{
			Badge: Badge{Bad, "Answer too large"},
			Why:   "Your server's answer is larger than 16 KB. We stopped reading, so we do not know what it says.",
			Do: []string{
				"Answer with the acknowledgement alone.",
				"If that is what your code does, something in front of it answers with a page of its own. Call the address by hand.",
			},
			Answer: true, Probe: true,
		}
	default:
		return unreached(a)
	}
}

func invalidAcknowledgement(detail string) advice {
	what := "Answer exactly like below, with the present time."
	switch {
	case strings.Contains(detail, "timestamp"):
		what = "Send timestamp as text with date, time and offset, like below."
	case strings.Contains(detail, "compressed"):
		what = "Turn compression off for this address, in your server and in the proxy before it."
	}
	return advice{
		Badge: Badge{Bad, "No valid acknowledgement"},
		Why:   "Your server answered with status 200, but its body is not the acknowledgement: " + detail + ".",
		Do: []string{
			what,
			"If your code answers like that, something else answers in its place: a login page, a default page, an empty " +
				"handler. Call the address by hand and look at the body.",
			"The names are case-sensitive, and the value of isAcknowledged is true, not the text \"true\".",
		},
		Answer: true, Probe: true,
	}
}

// statusAdvice explains a status that is not 200.
func statusAdvice(status int) advice {
	a := advice{Badge: Badge{Bad, fmt.Sprintf("Status %d", status)}, Probe: true}
	switch {
	case status == 401 || status == 403:
		a.Probe = false // a call without a signature is refused anyway
		a.Why = "Your server refused the call. In most cases, it found the signature wrong."
		a.Do = []string{
			"Compare the secret in your server's configuration with those of this subscription. A secret belongs to one " +
				"subscription in one environment. If in doubt, create a new one on the page Secrets.",
			"Verify the bytes of the body as they came, before anything parses them.",
			"Check your server's clock: libraries refuse a timestamp that is more than five minutes off.",
			"If your log does not have the call, a firewall or a password in front of your server refused it. " +
				"Let this path through: the signature protects it.",
		}
	case status == 404 || status == 405 || status == 410:
		a.Why = "A server answered, but nothing takes a POST at this path."
		a.Do = []string{
			"Compare the path of the address with your routes: a missing prefix and a slash at the end are common.",
			"See whether the last deployment removed or moved the route.",
			"If the address is wrong, change it on the page Settings. The next attempt goes to the new one.",
		}
	case status == 429 || status == 503:
		a.Why = "Your server says that it is overloaded or in maintenance. We make half as many calls at once from now on."
		a.Do = []string{
			"If it is on purpose, end it before the third attempt, which is 75 minutes after the first.",
			"If not, look at the load of your server. Store the event, acknowledge, and process it afterwards.",
			"If your log does not have the call, a proxy or a rate limit in front of your server answered.",
		}
	case status == 502 || status == 504:
		a.Why = "A proxy or load balancer answered, because the server behind it did not."
		a.Do = []string{
			"See whether your application runs, and whether its health checks pass.",
			"Compare the time limit of the proxy with the time that your receiver takes. Acknowledge first, process afterwards.",
		}
	case status >= 500:
		a.Why = "Your server failed while it handled the event."
		a.Do = []string{
			"Find the event ID in your server's log at that time: an exception, a database that is full or gone.",
			"If it began with a deployment, roll that back.",
			"If only events of one type fail, your code does not expect something in them. Ignore members and types that you " +
				"do not know, and acknowledge.",
		}
	case status >= 400:
		a.Why = "Your server, or something in front of it, did not accept the request."
		a.Do = []string{
			"Find the event ID in your server's log. If it is there, your code refuses the body: ignore members that you do " +
				"not know, and do not require data that the type does not promise.",
			"If it is not, a firewall or an API gateway refused the call. Its log has the rule.",
		}
	default:
		a.Why = "The call arrived, but only status 200 with a body counts as an acknowledgement."
		a.Do, a.Answer = []string{"Answer with status 200 and the acknowledgement as the body, like below."}, true
	}
	return a
}

// unreached explains a call that got no answer.
func unreached(a notification.Attempt) advice {
	switch a.Outcome {
	case notification.OutcomeRedirectRefused:
		return advice{
			Badge: Badge{Bad, fmt.Sprintf("Redirect (%d)", a.HTTPStatus)},
			Why:   "Your server sent us to another address. We do not follow, because the event would go where you did not tell us.",
			Do: []string{
				"Call the address by hand: the header Location has the other address. If it is yours, enter it on the page Settings.",
				"Common reasons: http instead of https, www, a slash at the end, or a login page.",
			},
			Probe: true,
		}
	case notification.OutcomeTimeout:
		return timeoutAdvice(a.Detail)
	case notification.OutcomeDNSError:
		return advice{
			Badge: Badge{Bad, "Host not found"},
			Why:   "We could not find your server's host: " + a.Detail + ".",
			Do: []string{
				"Look the host up from outside of your network (dig +short). A name that exists only inside does not work.",
				"See whether the domain has expired, or its record was deleted with a deployment.",
				"If the host is misspelt, change the address on the page Settings.",
			},
		}
	case notification.OutcomeTLSError:
		return advice{
			Badge: Badge{Bad, "TLS failed"},
			Why:   "There is no secure connection to your server: " + a.Detail + ".",
			Do: []string{
				"Renew the certificate if it has expired, and reload the server: a new file alone changes nothing.",
				"Send the whole chain with intermediate certificates. Browsers hide that one is missing; programs do not.",
				"The certificate must name the host of the address. Do not require a client certificate: we have none.",
			},
			Probe: true,
		}
	case notification.OutcomeAddressRefused:
		return advice{
			Badge: Badge{Bad, "Address refused"},
			Why:   "We did not call the address: " + a.Detail + ".",
			Do: []string{
				"Look the host up from outside (dig +short). Every address found must be public; one private address is enough to refuse.",
				"Enter an address that can be reached from the Internet on the page Settings.",
			},
		}
	default:
		return connectAdvice(a.Detail)
	}
}

func timeoutAdvice(detail string) advice {
	a := advice{
		Badge: Badge{Bad, "Timed out"},
		Why:   "There was no complete acknowledgement within one minute: " + detail + ".",
		Do: []string{
			"Acknowledge as soon as the event is stored, and process it afterwards, in a queue or a job.",
			"See what your server waited for at that time: a lock, a slow query, another service.",
		},
		Probe: true,
	}
	if strings.Contains(detail, "connection was made") {
		a.Do = []string{
			"A firewall or security group drops the connection without an answer. Open the port for everybody: our " +
				"addresses change, the signature protects you.",
			"See whether the load balancer at that address still exists and has a server.",
		}
	}
	return a
}

func connectAdvice(detail string) advice {
	a := advice{Badge: Badge{Bad, "No connection"}, Probe: true}
	switch {
	case strings.Contains(detail, "on our side"):
		a.Why, a.Probe = "The call was interrupted twice on our side. This is not your server's fault.", false
		a.Do = []string{"Your server may have had the event once or twice already. Compare the event ID. There is nothing to fix."}
	case strings.Contains(detail, "could not be signed"):
		a.Why, a.Probe = "We could not sign the call, so we did not make it.", false
		a.Do = []string{"Create a secret on the page Secrets. If it happens again, tell the operator."}
	case strings.Contains(detail, "closed"):
		a.Why = "Your server took the call and hung up: " + detail + "."
		a.Do = []string{
			"See whether your server crashed or was restarted at that time, for example out of memory.",
			"If the address begins with http, see whether that port expects https, and the other way round.",
		}
	default:
		a.Why = "Nothing answers at the address: " + detail + "."
		a.Do = []string{
			"See whether your server runs and listens at the port of the address.",
			"If it does, see whether a firewall refuses calls from outside.",
			"If it moved, change the address on the page Settings.",
		}
	}
	return a
}

// probe is a call by hand that shows what answers at an address.
func probe(address, eventID string) string {
	return "curl -i --max-time 60 -H 'Content-Type: application/json' -H 'webhook-id: " + eventID + "' -d '{}' " + quoted(address)
}

// quoted writes a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// missed says how to read what an exhausted event would have said.
func missed(eventType string) string {
	area, _, _ := strings.Cut(eventType, ".")
	switch area {
	case "connection":
		return "Read the connections with GET /openbanking/v1/connections: their status says what the event said."
	case "transactions":
		return "Read the changes with GET /openbanking/v1/transactions/changes and the last since that you have."
	case "cancellation":
		return "Read the cancellations with GET /cancellations/v1/cancellations: their status and outcome say what the event said."
	case "objection":
		return "Read the objections with GET /cancellations/v1/cancellations/{cancellationId}/objections: " +
			"their status says what the event said."
	case "contract":
		if eventType == "contract.price_increased" {
			return "Read the prices with GET /openbanking/v1/insights/price-changes: they say what the event said."
		}
		return "Read the contracts with GET /openbanking/v1/insights/subscriptions: their deadline says what the event said."
	case "user":
		return "Read the erasure with GET /identity/v1/erasures/{erasureId}."
	case "subscription":
		return "The list of subscriptions says which of them fails."
	default:
		return "It was a test call, so you missed nothing."
	}
}

// shortAddress is an address without its query, to name a subscription.
func shortAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host + u.Path
}
