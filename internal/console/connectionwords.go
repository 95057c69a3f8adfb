package console

import (
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

// connectionState is what the words for a connection depend on.
type connectionState struct {
	status connection.Status
	reason connection.StatusReason
}

// connectionBadge returns a connection's state in a word or two.
func connectionBadge(k connection.Connection) Badge {
	switch k.Status {
	case connection.Active:
		if k.SyncFailing {
			return Badge{Bad, "Active, reads fail"}
		}
		return Badge{Good, "Active"}
	case connection.Pending:
		return Badge{Waiting, "Pending"}
	case connection.ActionRequired:
		return Badge{Waiting, "Action required"}
	case connection.Revoked:
		return Badge{Neutral, "Revoked"}
	default:
		return Badge{Bad, string(k.Status)}
	}
}

// connectionAdvice says why a connection is as it is, and what to do.
func connectionAdvice(k connection.Connection) Advice {
	advice, ok := connectionWords()[connectionState{k.Status, k.Reason}]
	if !ok {
		return unknownReason(string(k.Reason))
	}
	if k.Status == connection.Active && k.SyncFailing {
		advice.Tone = Bad
		advice.Means += " All retries have failed, and your subscriptions got connection.sync_failed. " +
			"The data of the last success stays readable."
	}
	return advice
}

// The steps that end in a consent.
const (
	reconnect = "Create a link with POST /openbanking/v1/connections/{connectionId}/reconnect, and send the user there."
	retrying  = "Nothing. A read is retried after 30 seconds, 2, 8 and 32 minutes, and then goes on with the next one."
	sameLink  = "Nothing. The user may open the same link again at once, as long as it is valid."
)

// connectionWords has the words for each state that a connection can be in. docs/errors.md has
// the same states.
func connectionWords() map[connectionState]Advice {
	supplier := func(kind pfm.SupplierErrorKind) connection.StatusReason { return connection.StatusReason(kind) }
	return map[connectionState]Advice{
		{connection.Pending, connection.ReasonNone}: {
			Waiting, "The user has a link, but has not authorised at the bank yet.", theUser,
			"Send the user to the link's address. If it is lost or has ended, create a new link.",
		},
		{connection.Pending, supplier(pfm.SupplierUnavailable)}: {
			Waiting, "The bank timed out or failed when the user opened the link.", theBank, sameLink,
		},
		{connection.Pending, supplier(pfm.SupplierRateLimited)}: {
			Waiting, "The bank accepted no more calls when the user opened the link.", theBank, sameLink,
		},
		{connection.Pending, supplier(pfm.SupplierInvalidResponse)}: {
			Waiting, "The bank's answer did not follow its standard when the user opened the link.", theBank, sameLink,
		},
		{connection.Active, connection.ReasonNone}: {
			Good, "The consent is valid, and the last read of the bank brought everything.", nobody, "Nothing.",
		},
		{connection.Active, connection.ReasonPartialData}: {
			Waiting, "Some of what the bank told could not be read. All else is up to date.", "The bank, or we",
			"Tell the user that the list may have gaps. Every read tries again, from the day on which something is missing.",
		},
		{connection.Active, supplier(pfm.SupplierUnavailable)}: {
			Waiting, "The bank timed out or failed when it was last read.", theBank, retrying,
		},
		{connection.Active, supplier(pfm.SupplierRateLimited)}: {
			Waiting, "The bank accepts no more calls for now.", theBank, retrying,
		},
		{connection.Active, supplier(pfm.SupplierInvalidResponse)}: {
			Waiting, "The bank's last answer does not follow its standard.", theBank, retrying,
		},
		{connection.Active, supplier(pfm.SupplierRejected)}: {
			Bad, "The bank rejects our request itself, so it is not retried before the next read.", aviso,
			"Send us the connection ID if the next read fails, too.",
		},
		{connection.Active, connection.ReasonInternalError}: {
			Waiting, "The last read failed on our side, not the bank's.", aviso,
			"Nothing: it is retried. Send us the connection ID if it stays.",
		},
		{connection.ActionRequired, connection.ReasonAccountsMismatch}: {
			Waiting, "The user reconnected, but shared none of the accounts that we know. Nothing was read, and the new " +
				"consent was ended.", theUser,
			"Let the user reconnect with the login and accounts of before. For other accounts, delete the connection and " +
				"create a new one.",
		},
		{connection.ActionRequired, supplier(pfm.SupplierConsentInvalid)}: {
			Waiting, "The bank no longer accepts the consent, although it calls it valid.", theUser, reconnect,
		},
		{connection.ActionRequired, supplier(pfm.SupplierConsentExpired)}: {
			Waiting, "The bank says that the consent has ended.", theUser, reconnect,
		},
		{connection.ActionRequired, supplier(pfm.SupplierConsentUnknown)}: {
			Waiting, "The bank does not know the consent.", theUser, reconnect,
		},
		{connection.Failed, connection.ReasonLinkExpired}: {
			Bad, "The user did not finish at the bank within the 30 minutes for which the link was valid.", theUser,
			"Create a new connection, and send the user to its link right away.",
		},
		{connection.Failed, connection.ReasonUserCancelled}: {
			Bad, "The user refused at the bank.", theUser, "Ask the user before you try again with a new connection.",
		},
		{connection.Failed, connection.ReasonAuthorisationFailed}: {
			Bad, "The bank did not let the user authorise.", theUser,
			"Let the user try again with a new connection. The bank may want another login or method.",
		},
		{connection.Failed, supplier(pfm.SupplierRejected)}: {
			Bad, "The bank rejects our request for a consent.", aviso,
			"Send us the connection ID. A new connection at this bank is likely to fail as well.",
		},
		{connection.Failed, supplier(pfm.SupplierConsentInvalid)}: {
			Bad, "The bank does not accept the consent that the user was about to authorise.", theUser,
			"Let the user try again with a new connection.",
		},
		{connection.Failed, supplier(pfm.SupplierConsentExpired)}: {
			Bad, "The consent ended at the bank before the user had authorised it.", theUser,
			"Let the user try again with a new connection.",
		},
		{connection.Failed, supplier(pfm.SupplierConsentUnknown)}: {
			Bad, "The bank does not know the consent that the user was about to authorise.", theUser,
			"Let the user try again with a new connection.",
		},
		{connection.Expired, connection.ReasonConsentExpired}: {
			Bad, "The consent's time is up. What was read stays readable.", theUser, reconnect,
		},
		{connection.Expired, connection.ReasonConsentReplaced}: {
			Neutral, "A newer consent at the same bank ended this one, or a newer connection has taken over its accounts.",
			nobody, "Use the user's newer connection. You may delete this one.",
		},
		{connection.Revoked, connection.ReasonConsentRevoked}: {
			Neutral, "The user withdrew the consent at the bank.", theUser,
			"Respect that. Reconnect when the user asks for it.",
		},
	}
}
