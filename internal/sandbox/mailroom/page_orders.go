package mailroom

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Problem is why an order cannot be carried out.
type Problem struct {
	Status int
	Text   string
}

func (p *Problem) Error() string { return p.Text }

// NotNow is the problem of an order that comes too late.
func NotNow(text string) error { return &Problem{http.StatusConflict, text} }

func wrong(text string) error { return &Problem{http.StatusUnprocessableEntity, text} }

// choice is one thing that a carrier can be told.
type choice struct {
	// value is that of the form's field.
	value, label string
	// explains tells before, done tells afterwards.
	explains, done string
}

func orders(c Carrier) []choice {
	if c == Fax {
		return []choice{
			{"deliver", "Deliver", "The fax has arrived.", "The fax has arrived."},
			{"bounce", "Busy", "The line stays busy, and all retries fail.", "The fax has failed."},
			{"reject", "Reject", "The number is out of order: the fax fails at once.", "The fax has failed."},
			{"lose", "Lose", "Nothing is ever heard of this fax again.", "The fax is lost."},
		}
	}
	return []choice{
		{"deliver", "Deliver", "The letter has arrived.", "The letter has arrived."},
		{"bounce", "Return", "The letter was sent and has come back as undeliverable.", "The letter has come back."},
		{"reject", "Reject", "The post office finds fault with the letter and will not send it.", "The letter is rejected."},
		{"lose", "Lose", "Nothing is ever heard of this letter again.", "The letter is lost."},
	}
}

func delays() []choice {
	return []choice{{"delay", "Delay", "Nothing happens for that long, then it goes on.", "It waits."}}
}

func behaviours() []choice {
	return []choice{
		{"normal", "Normal", "Letters go their way.", "Everything is back to normal."},
		{"reject", "Reject", "Letters are rejected.", "Letters that come are rejected."},
		{"bounce", "Return", "Letters are sent and come back; faxes fail after all retries.", "Letters that come will come back."},
		{"delay", "Delay", "Letters wait until the time is over.", "Letters that come wait."},
		{"lose", "Lose", "Letters are taken and never heard of again.", "Letters that come are lost."},
		{"throttle", "Throttle", "The interface answers 429 with Retry-After.", "The interface throttles."},
		{"fail", "Fail", "The interface answers 500 and does nothing.", "The interface fails."},
		{"hang", "Hang", "The interface does what it is asked, but answers too late.", "The interface hangs."},
	}
}

func find(choices []choice, value string) (choice, bool) {
	for _, c := range choices {
		if c.value == value {
			return c, true
		}
	}
	return choice{}, false
}

// minutes reads how long something lasts.
func minutes(form url.Values) (time.Duration, error) {
	n := defaultTime
	if form.Has("minutes") {
		var err error
		if n, err = strconv.Atoi(form.Get("minutes")); err != nil || n < 1 || n > maxTime {
			return 0, wrong("It lasts from 1 to " + strconv.Itoa(maxTime) + " minutes.")
		}
	}
	return time.Duration(n) * time.Minute, nil
}

// carriersOf reads whom a setting is for.
func carriersOf(form url.Values) ([]Carrier, error) {
	switch c := Carrier(form.Get("carrier")); c {
	case "":
		return Carriers(), nil
	case Post, Fax:
		return []Carrier{c}, nil
	default:
		return nil, wrong("There is no such carrier.")
	}
}
