package cancellationapi

import (
	"time"

	"aviso/internal/cancellation"
)

// All examples of the area use a streaming contract with one of the sandbox's
// brands, so that they can be called.
func exampleOrganizationID() string { return cancellation.OrganizationID("vidorama") }

func exampleProductID() string { return cancellation.ProductID("vidorama", "abo") }

func exampleRequest() map[string]any {
	parameter := func(key, value string) map[string]string {
		return map[string]string{"fieldKey": key, "fieldValue": value}
	}
	return map[string]any{
		"externalCancellationRequestIdentifier": "order-4711", "organizationId": exampleOrganizationID(),
		"productId": exampleProductID(), "locale": "de-DE",
		"parameters": []any{
			parameter("NAME", "Anna Sommer"), parameter("ADDRESS", "Lindenallee 12"), parameter("ZIP", "50667"),
			parameter("CITY", "Köln"), parameter("EMAIL", "anna.sommer@example.org"),
			parameter("CUSTOMER_NUMBER", "K-204817"), parameter(cancellation.FieldDeleteData, "false"),
		},
		"signature": map[string]string{"type": "TEXT", "data": "Anna Sommer"},
	}
}

func exampleCancellation() wireCancellation {
	at := time.Date(2026, 3, 2, 9, 35, 0, 0, time.UTC)
	return wireCancellation{
		CancellationID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44", ExternalID: "order-4711",
		OrganizationID: exampleOrganizationID(),
		ProductID:      exampleProductID(), Locale: "de-DE", Reason: wireReason{Kind: ordinary}, Channel: "Email", Status: "Created",
		Outcome: "Waiting", OutcomeReason: "LetterNotSent", DebitsAfterEnd: []wireDebitAfterEnd{}, CreatedAt: at, UpdatedAt: at,
		LetterSHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		History:      []wireCancellationStep{{Status: "Created", At: at}},
	}
}

func exampleWithdrawn() wireCancellation {
	c := exampleCancellation()
	c.Status, c.UpdatedAt = "Withdrawn", c.CreatedAt.Add(3*time.Second)
	c.History = append(c.History, wireCancellationStep{Status: "Withdrawn", At: c.UpdatedAt})
	return c
}

func exampleObjection() wireObjection {
	c := exampleCancellation()
	at := time.Date(2026, 4, 7, 8, 20, 0, 0, time.UTC)
	return wireObjection{
		ObjectionID: "019d6a3c-2f10-7b44-8c1d-6e5f4a3b2c10", CancellationID: c.CancellationID, Channel: c.Channel,
		Status: c.Status, CreatedAt: at, UpdatedAt: at, LetterSHA256: c.LetterSHA256,
		EnclosureSHA256: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
		Debits: []wireDebitAfterEnd{{
			TransactionID: "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a42", Date: "2026-04-04", Amount: "-13.99", CurrencyCode: "EUR",
		}},
		History: []wireCancellationStep{{Status: "Created", At: at}},
	}
}
