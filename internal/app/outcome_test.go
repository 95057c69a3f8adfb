package app_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/letterdispatchfn"
	"aviso/internal/cancellation"
	"aviso/internal/money"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
)

// The areas of banking and of cancellations send each other messages, and each has types of
// its own for them.
func TestAreasReadEachOthersMessages(t *testing.T) {
	t.Parallel()
	pass := func(from, to any) {
		t.Helper()
		text, err := json.Marshal(from)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, to))
	}
	t.Run("what to watch", func(t *testing.T) {
		t.Parallel()
		sent := cancellation.WatchJob{Action: "Watch", Partner: "p", User: "u", Watch: cancellation.WatchOrder{
			CancellationID: "c", Stop: true, OrganizationID: "o", SubscriptionID: "s", SentOn: "2026-03-02", End: "2026-03-31",
		}}
		var got connection.SyncJob
		pass(sent, &got)
		assert.Equal(t, connection.SyncJob{Action: connection.JobWatch, Partner: "p", User: "u", Watch: &contract.WatchOrder{
			CancellationID: "c", Stop: true, OrganizationID: "o", SubscriptionID: "s", SentOn: "2026-03-02", End: "2026-03-31",
		}}, got)
	})
	t.Run("the outcome", func(t *testing.T) {
		t.Parallel()
		sent := contract.OutcomeJob{Kind: "outcome", Partner: "p", User: "u", CancellationID: "c", Report: contract.WatchReport{
			Number: 2, SubscriptionID: "s", Outcome: contract.WatchStillDebited, Reason: contract.WatchDebited, End: "2026-03-31",
			Debits: []contract.Debit{
				{TransactionID: "t", Date: "2026-04-04", Amount: money.MustParse("-9.99"), Currency: "EUR", RefundID: "r"},
			},
		}}
		var got letterdispatchfn.Message
		pass(sent, &got)
		assert.Equal(t, letterdispatchfn.Message{Job: cancellation.Job{
			Kind: cancellation.JobOutcome, Partner: "p", User: "u", CancellationID: "c",
			Outcome: &cancellation.OutcomeReport{
				Number: 2, SubscriptionID: "s", Outcome: cancellation.OutcomeStillDebited, Reason: "DebitAfterEnd", End: "2026-03-31",
				Debits: []cancellation.Debit{{TransactionID: "t", Date: "2026-04-04", Amount: "-9.99", Currency: "EUR", RefundID: "r"}},
			},
		}}, got)
	})
}
