package console

import "aviso/internal/pfm"

// connectionState is what the words for a connection depend on.
type connectionState struct {
	status pfm.ConnectionStatus
	reason pfm.StatusReason
}

// connectionBadge returns a connection's state in a word or two.
func connectionBadge(k pfm.Connection) Badge {
	switch k.Status {
	case pfm.ConnectionActive:
		if k.SyncFailing {
			return Badge{Bad, "Active, reads fail"}
		}
		return Badge{Good, "Active"}
	case pfm.ConnectionPending:
		return Badge{Waiting, "Pending"}
	case pfm.ConnectionActionRequired:
		return Badge{Waiting, "Action required"}
	case pfm.ConnectionRevoked:
		return Badge{Neutral, "Revoked"}
	default:
		return Badge{Bad, string(k.Status)}
	}
}

// connectionAdvice says why a connection is as it is, and what to do.
func connectionAdvice(k pfm.Connection) Advice {
	advice, ok := connectionWords()[connectionState{k.Status, k.Reason}]
	if !ok {
		return unknownReason(string(k.Reason))
	}
	if k.Status == pfm.ConnectionActive && k.SyncFailing {
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
	supplier := func(kind pfm.SupplierErrorKind) pfm.StatusReason { return pfm.StatusReason(kind) }
	return map[connectionState]Advice{
		{pfm.ConnectionPending, pfm.ReasonNone}: {
			Waiting, "The user has a link, but has not authorised at the bank yet.", theUser,
			"Send the user to the link's address. If it is lost or has ended, create a new link.",
		},
		{pfm.ConnectionPending, supplier(pfm.SupplierUnavailable)}: {
			Waiting, "The bank timed out or failed when the user opened the link.", theBank, sameLink,
		},
		{pfm.ConnectionPending, supplier(pfm.SupplierRateLimited)}: {
			Waiting, "The bank accepted no more calls when the user opened the link.", theBank, sameLink,
		},
		{pfm.ConnectionPending, supplier(pfm.SupplierInvalidResponse)}: {
			Waiting, "The bank's answer did not follow its standard when the user opened the link.", theBank, sameLink,
		},
		{pfm.ConnectionActive, pfm.ReasonNone}: {
			Good, "The consent is valid, and the last read of the bank brought everything.", nobody, "Nothing.",
		},
		{pfm.ConnectionActive, pfm.ReasonPartialData}: {
			Waiting, "Some of what the bank told could not be read. All else is up to date.", "The bank, or we",
			"Tell the user that the list may have gaps. Every read tries again, from the day on which something is missing.",
		},
		{pfm.ConnectionActive, supplier(pfm.SupplierUnavailable)}: {
			Waiting, "The bank timed out or failed when it was last read.", theBank, retrying,
		},
		{pfm.ConnectionActive, supplier(pfm.SupplierRateLimited)}: {
			Waiting, "The bank accepts no more calls for now.", theBank, retrying,
		},
		{pfm.ConnectionActive, supplier(pfm.SupplierInvalidResponse)}: {
			Waiting, "The bank's last answer does not follow its standard.", theBank, retrying,
		},
		{pfm.ConnectionActive, supplier(pfm.SupplierRejected)}: {
			Bad, "The bank rejects our request itself, so it is not retried before the next read.", aviso,
			"Send us the connection ID if the next read fails, too.",
		},
		{pfm.ConnectionActive, pfm.ReasonInternalError}: {
			Waiting, "The last read failed on our side, not the bank's.", aviso,
			"Nothing: it is retried. Send us the connection ID if it stays.",
		},
		{pfm.ConnectionActionRequired, pfm.ReasonAccountsMismatch}: {
			Waiting, "The user reconnected, but shared none of the accounts that we know. Nothing was read, and the new " +
				"consent was ended.", theUser,
			"Let the user reconnect with the login and accounts of before. For other accounts, delete the connection and " +
				"create a new one.",
		},
		{pfm.ConnectionActionRequired, supplier(pfm.SupplierConsentInvalid)}: {
			Waiting, "The bank no longer accepts the consent, although it calls it valid.", theUser, reconnect,
		},
		{pfm.ConnectionActionRequired, supplier(pfm.SupplierConsentExpired)}: {
			Waiting, "The bank says that the consent has ended.", theUser, reconnect,
		},
		{pfm.ConnectionActionRequired, supplier(pfm.SupplierConsentUnknown)}: {
			Waiting, "The bank does not know the consent.", theUser, reconnect,
		},
		{pfm.ConnectionFailed, pfm.ReasonLinkExpired}: {
			Bad, "The user did not finish at the bank within the 30 minutes for which the link was valid.", theUser,
			"Create a new connection, and send the user to its link right away.",
		},
		{pfm.ConnectionFailed, pfm.ReasonUserCancelled}: {
			Bad, "The user refused at the bank.", theUser, "Ask the user before you try again with a new connection.",
		},
		{pfm.ConnectionFailed, pfm.ReasonAuthorisationFailed}: {
			Bad, "The bank did not let the user authorise.", theUser,
			"Let the user try again with a new connection. The bank may want another login or method.",
		},
		{pfm.ConnectionFailed, supplier(pfm.SupplierRejected)}: {
			Bad, "The bank rejects our request for a consent.", aviso,
			"Send us the connection ID. A new connection at this bank is likely to fail as well.",
		},
		{pfm.ConnectionFailed, supplier(pfm.SupplierConsentInvalid)}: {
			Bad, "The bank does not accept the consent that the user was about to authorise.", theUser,
			"Let the user try again with a new connection.",
		},
		{pfm.ConnectionFailed, supplier(pfm.SupplierConsentExpired)}: {
			Bad, "The consent ended at the bank before the user had authorised it.", theUser,
			"Let the user try again with a new connection.",
		},
		{pfm.ConnectionFailed, supplier(pfm.SupplierConsentUnknown)}: {
			Bad, "The bank does not know the consent that the user was about to authorise.", theUser,
			"Let the user try again with a new connection.",
		},
		{pfm.ConnectionExpired, pfm.ReasonConsentExpired}: {
			Bad, "The consent's time is up. What was read stays readable.", theUser, reconnect,
		},
		{pfm.ConnectionExpired, pfm.ReasonConsentReplaced}: {
			Neutral, "A newer consent at the same bank ended this one, or a newer connection has taken over its accounts.",
			nobody, "Use the user's newer connection. You may delete this one.",
		},
		{pfm.ConnectionRevoked, pfm.ReasonConsentRevoked}: {
			Neutral, "The user withdrew the consent at the bank.", theUser,
			"Respect that. Reconnect when the user asks for it.",
		},
	}
}
