package pfm

import (
	"context"
	"errors"
	"log/slog"
)

// Partial counts what could not be read of a bank's answers; zero if nothing was missing.
type Partial struct {
	Rows     int
	Accounts int
	// From is the first day from which rows of an account are missing; empty if none are.
	From Date
}

// IsPartial reports whether something is missing.
func (p Partial) IsPartial() bool { return p.Rows+p.Accounts > 0 }

// addAccount counts an account whose rows could not be read from a day on.
func (p *Partial) addAccount(from Date) {
	p.Accounts++
	if p.From == "" || from < p.From {
		p.From = from
	}
}

// sort counts what cannot be read of statements, and returns those that can be saved. It
// fails if no account can be read.
func (p *Partial) sort(all []statement) (readable []statement, err error) {
	for _, st := range all {
		p.Rows += st.unreadable
		if st.err == nil {
			readable = append(readable, st)
			continue
		}
		p.addAccount(st.from)
		err = st.err
	}
	if len(readable) > 0 {
		return readable, nil
	}
	return nil, err
}

// reason returns the reason of a connection whose sync has succeeded, and logs what was
// missing. The log line has numbers only.
func (p Partial) reason(ctx context.Context, c Connection) StatusReason {
	if !p.IsPartial() {
		return ReasonNone
	}
	slog.WarnContext(ctx, "the bank's data is partial",
		"connectionId", c.ID, "providerId", c.ProviderID, "rows", p.Rows, "accounts", p.Accounts)
	return ReasonPartialData
}

// costsOneAccount reports whether a failure to read one account's rows leaves the others
// worth saving. A failure that may pass is tried again first.
func costsOneAccount(err error, attempt int) bool {
	bank, ok := errors.AsType[*SupplierError](err)
	if !ok {
		return false
	}
	switch bank.Kind {
	case SupplierRejected, SupplierInvalidResponse:
		return true
	case SupplierUnavailable:
		return attempt > 1
	default:
		return false
	}
}
