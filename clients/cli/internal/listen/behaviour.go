package listen

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// hangFor is longer than a receiver may take (one minute).
const hangFor = 61 * time.Second

// fault is a wrong response to a callback.
type fault string

const (
	none   fault = ""
	fail   fault = "fail"
	hang   fault = "hang"
	badAck fault = "bad-ack"
	reject fault = "reject"
)

// behaviour is how the receiver responds to verified callbacks: with a fault for the
// first deliveries of an event, then with an acknowledgement.
type behaviour struct {
	fault fault
	// times is how many deliveries of an event get the fault; 0 means all.
	times int
}

// at returns the fault for the nth delivery of an event, counted from 1.
func (b behaviour) at(delivery int) fault {
	if b.times > 0 && delivery > b.times {
		return none
	}
	return b.fault
}

// declare declares a flag for each fault, such as --fail or --fail=2.
func (b *behaviour) declare(flags *pflag.FlagSet) {
	for f, usage := range map[fault]string{
		fail:   "respond with 500",
		hang:   "acknowledge too late, after 61 seconds",
		badAck: "acknowledge without a timestamp",
		reject: "respond with isAcknowledged false",
	} {
		flag := flags.VarPF(&faultFlag{behaviour: b, fault: f}, string(f), "",
			fmt.Sprintf("%s; --%s=2 does it only the first two times per event", usage, f))
		flag.NoOptDefVal = always
	}
}

// always is the value of a flag without one: that of a switch.
const always = "true"

// faultFlag sets a behaviour.
type faultFlag struct {
	behaviour *behaviour
	fault     fault
}

func (f *faultFlag) String() string { return "" }

// Type makes the help show a switch.
func (f *faultFlag) Type() string { return "bool" }

func (f *faultFlag) Set(value string) error {
	times := 0
	if value != always {
		var err error
		if times, err = strconv.Atoi(value); err != nil || times < 1 {
			return fmt.Errorf("must be a number from 1 on")
		}
	}
	if f.behaviour.fault != none {
		return fmt.Errorf("only one fault is possible, and --%s is already set", f.behaviour.fault)
	}
	*f.behaviour = behaviour{fault: f.fault, times: times}
	return nil
}

// reply is a response to a callback.
type reply struct {
	status int
	body   []byte
	// text explains it to the developer.
	text string
}

// refusal returns the response to a callback that is not genuine.
func refusal() reply {
	return reply{status: http.StatusUnauthorized, text: "rejected, not acknowledged"}
}

// acknowledgement is the body of a response.
type acknowledgement struct {
	IsAcknowledged bool   `json:"isAcknowledged"`
	Timestamp      string `json:"timestamp,omitempty"`
}

// reply returns the response with this fault.
func (f fault) reply(now time.Time) reply {
	ack, text := acknowledgement{true, now.UTC().Format(time.RFC3339)}, "acknowledged"
	switch f {
	case fail:
		return reply{status: http.StatusInternalServerError, text: "not acknowledged (--fail)"}
	case badAck:
		ack.Timestamp, text = "", "acknowledged without a timestamp (--bad-ack)"
	case reject:
		ack.IsAcknowledged, text = false, "isAcknowledged is false (--reject)"
	case hang:
		text = "acknowledged too late (--hang)"
	}
	body, _ := json.Marshal(ack) // cannot fail
	return reply{status: http.StatusOK, body: body, text: text}
}
