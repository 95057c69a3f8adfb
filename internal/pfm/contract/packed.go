package contract

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"aviso/internal/money"
	"aviso/internal/pfm/transaction"
)

// Payments are packed because each write is billed by the KB: 25 bytes each, of which the ID
// takes 16, instead of 125 of JSON. For each there are: the ID; the days since the payment
// before it, or since 1970; the amount; the category; a byte of flags; the place of the
// frequency in frequencies; the contract; and, if the flag history is set, Since and Before.
// Numbers are varints.

// The flags, in the order of flagsOf.
const (
	flagMerchant = 1 << iota
	flagMandate
	flagStandingOrder
	flagSubscription
	flagHistory
)

// frequencies are stored by their place, so new ones go to the end.
func frequencies() []transaction.Frequency {
	return []transaction.Frequency{transaction.Once, Weekly, BiWeekly, Monthly, Quarterly, SemiAnnually, Annually}
}

var errPacked = errors.New("packed payments: malformed")

// Pack returns payments, which are sorted by date, as Unpack reads them.
func Pack(held []Entry) ([]byte, error) {
	var b []byte
	day, known := 0, frequencies()
	for _, e := range held {
		id, err := uuid.Parse(e.ID)
		frequency := slices.Index(known, e.Frequency)
		if err != nil || frequency < 0 {
			return nil, errPacked
		}
		b = append(b, id[:]...)
		b = binary.AppendVarint(b, int64(dayOf(e.Date)-day))
		day = dayOf(e.Date)
		b = e.Amount.AppendTo(b)
		b = binary.AppendVarint(b, int64(e.Category))
		b = append(b, flagsOf(e), byte(frequency))
		b = binary.AppendVarint(b, int64(e.Contract))
		if flagsOf(e)&flagHistory != 0 {
			b = binary.AppendVarint(b, int64(dayOf(e.Since)))
			b = binary.AppendVarint(b, int64(e.Before))
		}
	}
	return b, nil
}

func flagsOf(e Entry) (flags byte) {
	for i, set := range []bool{e.Merchant, e.Mandate, e.StandingOrder, e.Subscription, e.Since != ""} {
		if set {
			flags |= 1 << i
		}
	}
	return flags
}

// Unpack returns packed payments.
func Unpack(b []byte) ([]Entry, error) {
	var held []Entry
	r := packed{rest: b}
	known := frequencies()
	for day := 0; len(r.rest) > 0 && r.err == nil; {
		var e Entry
		e.ID = uuid.UUID(r.next(len(uuid.UUID{}))).String()
		day += r.number()
		e.Date = dateOf(day)
		e.Amount = r.amount()
		e.Category = r.number()
		marks := r.next(2) //nolint:mnd // flags and frequency
		flags, frequency := marks[0], int(marks[1])
		if frequency >= len(known) {
			return nil, errPacked
		}
		e.Merchant, e.Mandate = flags&flagMerchant != 0, flags&flagMandate != 0
		e.StandingOrder, e.Subscription = flags&flagStandingOrder != 0, flags&flagSubscription != 0
		e.Frequency, e.Contract = known[frequency], r.number()
		if flags&flagHistory != 0 {
			e.Since, e.Before = dateOf(r.number()), r.number()
		}
		held = append(held, e)
	}
	return held, r.err
}

// packed reads what Pack has written. After an error it returns zeros.
type packed struct {
	rest []byte
	err  error
}

func (r *packed) next(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.err = nil, errPacked
		return make([]byte, n)
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *packed) number() int {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.rest, r.err = nil, errPacked
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *packed) amount() money.Amount {
	a, n, err := money.From(r.rest)
	if err != nil {
		r.rest, r.err = nil, fmt.Errorf("packed payments: %w", err)
		return a
	}
	r.rest = r.rest[n:]
	return a
}
