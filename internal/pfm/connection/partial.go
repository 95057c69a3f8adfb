package connection

import (
	"context"
	"log/slog"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Partial counts what could not be read of a bank's answers; zero if nothing was missing.
type Partial struct {
	Rows     int `dynamodbav:"partialRows,omitempty"`
	Accounts int `dynamodbav:"partialAccounts,omitempty"`
	// From is the first day from which rows of an account are missing; empty if none are.
	From pfm.Date `dynamodbav:"partialFrom,omitempty"`
}

// IsPartial reports whether something is missing.
func (p Partial) IsPartial() bool { return p.Rows+p.Accounts > 0 }

// addAccount counts an account whose rows could not be read from a day on.
func (p *Partial) addAccount(from pfm.Date) {
	p.Accounts++
	if p.From == "" || from < p.From {
		p.From = from
	}
}

// sort counts what cannot be read of statements, and returns those that can be saved. The
// error is that of an account that cannot be read, best one that may pass.
func (p *Partial) sort(all []transaction.Statement) (readable []transaction.Statement, err error) {
	for _, st := range all {
		p.Rows += st.Unreadable
		if st.Err == nil {
			readable = append(readable, st)
			continue
		}
		p.addAccount(st.From)
		if err == nil || mayPass(st.Err) {
			err = st.Err
		}
	}
	return readable, err
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

// patientAttempts is how often a sync is tried before it ends without an account whose bank
// does not answer: as often as banks allow in a day without the user.
const patientAttempts = 4

// costsOneAccount reports whether a failure to read one account's rows leaves the others
// worth saving.
func costsOneAccount(err error) bool {
	kind := pfm.FailureOf(err).Kind
	return kind == pfm.SupplierRejected || kind == pfm.SupplierInvalidResponse || mayPass(err)
}

// mayPass reports whether the account is worth another attempt.
func mayPass(err error) bool { return pfm.FailureOf(err).Kind == pfm.SupplierUnavailable }
