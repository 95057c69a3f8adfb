package main

import (
	"flag"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// hangFor is longer than a receiver has (one minute).
const hangFor = 61 * time.Second

// fault is a way to answer a callback wrongly.
type fault string

const (
	none   fault = ""
	fail   fault = "fail"
	hang   fault = "hang"
	badAck fault = "bad-ack"
	reject fault = "reject"
)

// behaviour is how the receiver answers callbacks that it has verified: with a
// fault the first times that an event comes, else with an acknowledgement.
type behaviour struct {
	fault fault
	// times is 0 for always.
	times int
}

// at is the fault for the nth delivery of an event, from 1 on.
func (b behaviour) at(delivery int) fault {
	if b.times > 0 && delivery > b.times {
		return none
	}
	return b.fault
}

// declare declares a flag for each fault: --fail, --fail=2.
func (b *behaviour) declare(flags *flag.FlagSet) {
	for f, usage := range map[fault]string{
		fail:   "answer 500",
		hang:   "acknowledge after 61 seconds, which is too late",
		badAck: "acknowledge without a timestamp",
		reject: "answer that isAcknowledged is false",
	} {
		flags.Var(&faultFlag{behaviour: b, fault: f}, string(f), usage+"; `=n` the first n times of each event only")
	}
}

// faultFlag sets a behaviour. It may stand alone, as a boolean flag does.
type faultFlag struct {
	behaviour *behaviour
	fault     fault
}

func (f *faultFlag) String() string { return "" }

func (f *faultFlag) IsBoolFlag() bool { return true }

func (f *faultFlag) Set(value string) error {
	times := 0
	if value != "true" { // what a flag that stands alone is given
		var err error
		if times, err = strconv.Atoi(value); err != nil || times < 1 {
			return fmt.Errorf("want how often, from 1 on")
		}
	}
	if f.behaviour.fault != none {
		return fmt.Errorf("--%s is given already; choose one", f.behaviour.fault)
	}
	*f.behaviour = behaviour{fault: f.fault, times: times}
	return nil
}

// reply is an answer to a callback.
type reply struct {
	status int
	body   map[string]any
	// text tells the developer what it means.
	text string
}

// refusal answers a callback that is not genuine.
func refusal() reply {
	return reply{status: http.StatusUnauthorized, text: "refused, not acknowledged"}
}

// reply is the answer with this fault.
func (f fault) reply(now time.Time) reply {
	timestamp := now.UTC().Format(time.RFC3339)
	switch f {
	case fail:
		return reply{status: http.StatusInternalServerError, text: "not acknowledged (--fail)"}
	case badAck:
		return reply{status: http.StatusOK, body: map[string]any{"isAcknowledged": true}, text: "acknowledged without a timestamp (--bad-ack)"}
	case reject:
		return reply{status: http.StatusOK, body: map[string]any{"isAcknowledged": false, "timestamp": timestamp}, text: "isAcknowledged is false (--reject)"}
	}
	r := reply{status: http.StatusOK, body: map[string]any{"isAcknowledged": true, "timestamp": timestamp}, text: "acknowledged"}
	if f == hang {
		r.text = "acknowledged too late (--hang)"
	}
	return r
}
