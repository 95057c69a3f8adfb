package mailroom

import "aviso/internal/sandbox/layout"

func commands(c Carrier) []layout.Command {
	if c == Fax {
		return []layout.Command{
			layout.NewCommand("deliver", "Deliver", "The fax has arrived.", "The fax has arrived."),
			layout.NewCommand("bounce", "Busy", "The line stays busy, and all retries fail.", "The fax has failed."),
			layout.NewCommand("reject", "Reject", "The number is out of order: the fax fails at once.", "The fax has failed."),
			layout.NewCommand("lose", "Lose", "Nothing is ever heard of this fax again.", "The fax is lost."),
		}
	}
	return []layout.Command{
		layout.NewCommand("deliver", "Deliver", "The letter has arrived.", "The letter has arrived."),
		layout.NewCommand("bounce", "Return", "The letter was sent and has come back as undeliverable.", "The letter has come back."),
		layout.NewCommand("reject", "Reject", "The post office finds fault with the letter and will not send it.", "The letter is rejected."),
		layout.NewCommand("lose", "Lose", "Nothing is ever heard of this letter again.", "The letter is lost."),
	}
}

func delays() []layout.Command {
	return []layout.Command{layout.NewCommand("delay", "Delay", "Nothing happens for that long, then it goes on.", "It waits.")}
}

func behaviours() []layout.Command {
	return []layout.Command{
		layout.NewCommand("normal", "Normal", "Letters go their way.", "Everything is back to normal."),
		layout.NewCommand("reject", "Reject", "Letters are rejected.", "Letters that come are rejected."),
		layout.NewCommand("bounce", "Return", "Letters are sent and come back; faxes fail after all retries.", "Letters that come will come back."),
		layout.NewCommand("delay", "Delay", "Letters wait until the time is over.", "Letters that come wait."),
		layout.NewCommand("lose", "Lose", "Letters are taken and never heard of again.", "Letters that come are lost."),
		layout.NewCommand("throttle", "Throttle", "The interface answers 429 with Retry-After.", "The interface throttles."),
		layout.NewCommand("fail", "Fail", "The interface answers 500 and does nothing.", "The interface fails."),
		layout.NewCommand("hang", "Hang", "The interface does what it is asked, but answers too late.", "The interface hangs."),
	}
}
