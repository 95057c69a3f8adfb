package mailroom

import "aviso/internal/sandbox/layout"

func commands(c Carrier) []layout.Command {
	if c == Fax {
		return []layout.Command{
			layout.NewCommand("deliver", "Deliver", "The fax arrives.", "The fax has arrived."),
			layout.NewCommand("bounce", "Busy", "The line is busy, and all retries fail.", "The fax has failed."),
			layout.NewCommand("reject", "Reject", "The number is not in service, and the fax fails immediately.",
				"The fax has failed."),
			layout.NewCommand("lose", "Lose", "The fax never changes state again.", "The fax is lost."),
		}
	}
	return []layout.Command{
		layout.NewCommand("deliver", "Deliver", "The letter arrives.", "The letter has arrived."),
		layout.NewCommand("bounce", "Return", "The letter is sent and returned as undeliverable.",
			"The letter was returned."),
		layout.NewCommand("reject", "Reject", "The post office finds a problem and does not send the letter.",
			"The letter was rejected."),
		layout.NewCommand("lose", "Lose", "The letter never changes state again.", "The letter is lost."),
	}
}

func delays() []layout.Command {
	return []layout.Command{
		layout.NewCommand("delay", "Delay", "Nothing happens for this long, then it continues.",
			"The next step is delayed."),
	}
}

// behaviours are those that a partner, or (empty) anybody, can choose. Not a partner's are
// those that would affect the other partners.
func behaviours(partner string) []layout.Command {
	own := []layout.Command{
		layout.NewCommand("normal", "Normal", "Letters and faxes are sent and delivered.", "Back to normal."),
		layout.NewCommand("reject", "Reject", "New letters and faxes are rejected.",
			"New letters and faxes are rejected."),
		layout.NewCommand("bounce", "Return", "New letters are sent and returned; new faxes fail after all retries.",
			"New letters are returned, and new faxes fail."),
		layout.NewCommand("delay", "Delay", "New letters and faxes wait until the time is over.",
			"New letters and faxes wait."),
		layout.NewCommand("lose", "Lose", "New letters and faxes are accepted and never change state again.",
			"New letters and faxes are lost."),
	}
	if partner != "" {
		return own
	}
	return append(own,
		layout.NewCommand("throttle", "Throttle", "The interface returns 429 with Retry-After.",
			"The interface returns 429."),
		layout.NewCommand("fail", "Fail", "The interface returns 500 and does nothing.", "The interface returns 500."),
		layout.NewCommand("hang", "Hang", "The interface handles requests but responds too late.",
			"The interface hangs."),
	)
}
