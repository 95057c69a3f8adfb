package console

import "aviso/internal/cancellation"

// cancellationState is what the words for a cancellation depend on.
type cancellationState struct {
	status cancellation.Status
	reason cancellation.StatusReason
}

// cancellationBadge returns a cancellation's state in a word or two.
func cancellationBadge(k cancellation.Cancellation) Badge {
	switch shown := k.Status.Shown(); shown {
	case cancellation.StatusDelivered, cancellation.StatusConfirmed:
		return Badge{Good, string(shown)}
	case cancellation.StatusDeliveryFailed:
		return Badge{Bad, "Delivery failed"}
	case cancellation.StatusRejected:
		return Badge{Bad, "Rejected"}
	case cancellation.StatusWithdrawn:
		return Badge{Neutral, "Withdrawn"}
	default:
		return Badge{Waiting, string(shown)}
	}
}

func channelInWords(kind cancellation.ChannelKind) string {
	switch kind {
	case cancellation.ChannelEmail:
		return "E-mail"
	case cancellation.ChannelMail:
		return "Ordinary mail"
	case cancellation.ChannelRegisteredMail:
		return "Registered mail"
	case cancellation.ChannelFax:
		return "Fax"
	}
	return string(kind)
}

// stepInWords says what a step of the history was; again, if the status was there before.
func stepInWords(status cancellation.Status, again bool) string {
	switch status {
	case cancellation.StatusCreated:
		return "Your server asked for it. The letter was written and stored."
	case cancellation.StatusQueued, cancellation.StatusSending:
		if again {
			return "The channel failed. The letter waits for the next one."
		}
		return "The letter waits to be handed to a carrier."
	case cancellation.StatusSent:
		return "A carrier accepted the letter."
	case cancellation.StatusDelivered:
		return "The letter arrived at the organization."
	case cancellation.StatusConfirmed:
		return "The organization confirmed the cancellation."
	case cancellation.StatusDeliveryFailed:
		return "The last channel failed, and there is no other."
	case cancellation.StatusRejected:
		return "The organization rejected the cancellation."
	case cancellation.StatusWithdrawn:
		return "It was withdrawn before a carrier had the letter."
	}
	return ""
}

// theOrganization can mend what is about the contract.
const theOrganization = "The organization"

// cancellationAdvice says why a cancellation is as it is, and what to do.
func cancellationAdvice(k cancellation.Cancellation) Advice {
	advice, ok := cancellationWords()[cancellationState{k.Status.Shown(), k.Reason}]
	if !ok {
		return unknownReason(string(k.Reason))
	}
	if k.Status == cancellation.StatusSent && k.Channel().Kind == cancellation.ChannelMail {
		advice.Means += " Nobody reports the arrival of ordinary mail, so this state stays until the organization answers."
	}
	switch {
	case k.Objects == nil:
	case k.Status == cancellation.StatusDelivered:
		advice.Next = "Nothing. The debits of the cancellation show a refund."
	case k.Status == cancellation.StatusDeliveryFailed:
		advice.Next = "Tell the user, or send another objection."
	}
	return advice
}

// cancellationWords has the words for each state that a cancellation can be in. docs/errors.md
// has the same states.
func cancellationWords() map[cancellationState]Advice {
	const another = "Let the user check name, address and number, and create a new cancellation with a new identifier."
	return map[cancellationState]Advice{
		{cancellation.StatusCreated, cancellation.ReasonNone}: {
			Waiting, "The letter is written and is about to be sent.", nobody, "Nothing: it takes seconds.",
		},
		{cancellation.StatusQueued, cancellation.ReasonNone}: {
			Waiting, "The letter waits for a carrier, or is being handed to one.", aviso,
			"Nothing. A carrier that cannot be reached is tried for a day, then the next channel has its turn.",
		},
		{cancellation.StatusSent, cancellation.ReasonNone}: {
			Waiting, "A carrier has the letter. It can be withdrawn no longer.", theOrganization,
			"Nothing. Tell the user that the letter is on its way.",
		},
		{cancellation.StatusDelivered, cancellation.ReasonNone}: {
			Good, "The letter has arrived. A bounce or a return may still follow.", theOrganization,
			"Nothing. Confirmed or Rejected is the organization's answer, which may never come.",
		},
		{cancellation.StatusConfirmed, cancellation.ReasonNone}: {
			Good, "The organization confirmed that the contract ends.", nobody, "Tell the user.",
		},
		{cancellation.StatusWithdrawn, cancellation.ReasonNone}: {
			Neutral, "Your server withdrew it before a carrier had the letter. Nothing was sent.", nobody, "Nothing.",
		},
		{cancellation.StatusDeliveryFailed, cancellation.ReasonUndeliverable}: {
			Bad, "The last carrier could not deliver: a bounce, a returned letter, or a fax that nobody accepted.", yourServer,
			"Tell the user. The letter is at GET …/cancellations/{cancellationId}/letter and can be sent another way.",
		},
		{cancellation.StatusDeliveryFailed, cancellation.ReasonCarrierRefused}: {
			Bad, "The last carrier refused the letter because of its content.", aviso,
			"Tell the user, and send us the cancellation ID.",
		},
		{cancellation.StatusDeliveryFailed, cancellation.ReasonCarrierUnavailable}: {
			Bad, "The last carrier could not be reached for a day, or is no longer in use.", yourServer,
			"Create a new cancellation with a new identifier.",
		},
		{cancellation.StatusRejected, cancellation.ReasonUserNotFound}: {
			Bad, "The organization finds no customer with this name.", theUser, another,
		},
		{cancellation.StatusRejected, cancellation.ReasonInconsistentData}: {
			Bad, "The organization says that name, address and number do not belong together.", theUser, another,
		},
		{cancellation.StatusRejected, cancellation.ReasonAlreadyCancelled}: {
			Neutral, "The contract had been cancelled before.", nobody, "Tell the user.",
		},
		{cancellation.StatusRejected, cancellation.ReasonBindingPeriod}: {
			Bad, "The contract cannot end yet.", theOrganization,
			"Let the user ask the organization for the earliest possible date.",
		},
	}
}
