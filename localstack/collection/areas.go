package collection

import "net/http"

func users() []step {
	return []step{
		{operation: "createUser", body: members{"externalId": "customer-{{$guid}}"}, sets: values{
			"userId": "body.data.user.userId", "externalId": "body.data.user.externalId",
		}},
		{
			operation: "findUser", query: values{"externalId": "{{externalId}}"},
			check: `body.data.user.userId === pm.collectionVariables.get("userId")`,
		},
		{operation: "getUser"},
		{operation: "updateUser"},
	}
}

func terms() []step {
	return []step{
		{operation: "listTerms", sets: values{"termsLeft": "JSON.stringify(body.data.terms)"}},
		{
			operation: "acceptTerms", body: members{"termsType": "{{termsType}}", "version": "{{termsVersion}}"},
			before: `// Each time, the next of the terms that were listed.
const left = JSON.parse(pm.collectionVariables.get("termsLeft"));
const terms = left.shift();
pm.collectionVariables.set("termsLeft", JSON.stringify(left));
pm.collectionVariables.set("termsType", terms.termsType);
pm.collectionVariables.set("termsVersion", terms.version);`,
			until: `pm.collectionVariables.get("termsLeft") === "[]"`,
		},
		{operation: "listTermsAcceptances"},
	}
}

// connections also does what the user's browser does with the link, as README.md describes.
// It sends the cookie by itself: it is Secure, and Postman sends none such over plain HTTP.
func connections() []step {
	const location = `pm.response.headers.get("Location")`
	return []step{
		{
			operation: "createConnection", body: members{"providerId": "{{providerId}}", "returnUrl": "{{returnUrl}}"},
			sets: values{"connectionId": "body.data.connectionId", "redirectUrl": "body.data.redirectUrl"},
		},
		{
			name: "Open the link, as the user's browser does",
			page: &page{method: http.MethodGet, url: "{{redirectUrl}}"},
			sets: values{
				"bankPage":      location,
				"browserCookie": `String(pm.response.headers.get("Set-Cookie")).split(";")[0]`,
			},
		},
		{
			name: "Approve at the sandbox bank, as the user does",
			page: &page{method: http.MethodPost, url: "{{bankPage}}", form: []field{
				{Key: "persona", Value: "anna"},
				{Key: "account[]", Value: "current"},
				{Key: "account[]", Value: "savings"},
				{Key: "account[]", Value: "card"},
				{Key: "decision", Value: "approve"},
			}},
			sets: values{"wayBack": location},
		},
		{
			name: "Follow the bank's redirect back",
			page: &page{
				method: http.MethodGet, url: "{{wayBack}}",
				header: []field{{Key: "Cookie", Value: "{{browserCookie}}"}},
			},
			check: location + `.includes("status=success")`,
		},
		// Until the first read is complete, this is in the year 0001.
		{operation: "getConnection", until: `body.data.connection.lastSuccessAt > "0002"`},
		{operation: "listConnections"},
	}
}

func transactions() []step {
	return []step{
		{operation: "listTransactionCategories"},
		{
			// The added one arrives with the refresh.
			operation: "listTransactions", query: values{"text": "{{connectionId}}"},
			until: "body.data.transactions.length > 0",
			sets:  values{"transactionId": "body.data.transactions[0].id"},
		},
		{operation: "getTransaction"},
		{operation: "updateTransaction"},
		{operation: "deleteTransactionCategory"},
		{operation: "listTransactionChanges"},
	}
}

func catalogue() []step {
	return []step{
		{operation: "listCancellationCategories"},
		{
			operation: "listOrganizations",
			query:     values{"categoryId": "3724078d-120a-536d-9f05-ab76a811b404", "limit": "200"},
			sets:      values{"organizationId": `body.data.organizations.find((o) => o.name === "Vidorama").id`},
		},
		{operation: "getOrganization"},
		{operation: "listProducts", sets: values{"productId": "body.data.products[0].productId"}},
		{operation: "getProduct"},
		{operation: "getDeadline", check: "body.data.deadline.steps.length > 0"},
		{
			operation: "calculateDeadline", // the product's own terms are not known
			body: members{
				"contractStart": "2025-03-15", "agreedTerms": map[string]any{"renewal": "Open", "noticePeriod": "P1M"},
			},
			check: "body.data.deadline.earliestEnd > body.data.deadline.sendBy[0].date",
		},
	}
}

func cancellations() []step {
	return []step{
		{
			operation: "createCancellation",
			body: members{
				"organizationId": "{{organizationId}}", "productId": "{{productId}}",
				"externalCancellationRequestIdentifier": "order-{{$guid}}",
			},
			sets: values{"cancellationId": "body.data.cancellation.cancellationId"},
		},
		{operation: "getCancellation", until: `body.data.cancellation.status === "Delivered"`},
		{operation: "getCancellationLetter", check: `pm.response.text().includes("%PDF-")`},
		{operation: "getCancellationEvidence", check: `pm.response.text().includes("evidence.jws")`},
		{operation: "createObjection", refused: "409"},
		{operation: "sendObjection", refused: "409"},
		{operation: "listObjections", mayBeEmpty: true},
		{operation: "listCancellations"},
		{
			operation: "createCancellation", name: "Cancel a contract by post, to withdraw it",
			body: members{
				"organizationId": "{{postOrganizationId}}", "productId": "{{postProductId}}",
				"externalCancellationRequestIdentifier": "order-{{$guid}}",
				"parameters": []members{
					{"fieldKey": "NAME", "fieldValue": "Anna Sommer"},
					{"fieldKey": "ADDRESS", "fieldValue": "Lindenallee 12"},
					{"fieldKey": "ZIP", "fieldValue": "50667"},
					{"fieldKey": "CITY", "fieldValue": "Köln"},
					{"fieldKey": "EMAIL", "fieldValue": "anna.sommer@example.org"},
					{"fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-204817"},
				},
			},
			sets: values{"cancellationId": "body.data.cancellation.cancellationId"},
		},
		// While the letter is being handed over, this is refused with 409.
		{operation: "withdrawCancellation", until: "pm.response.code !== 409"},
	}
}

func webhooks() []step {
	return []step{
		{operation: "listEventTypes"},
		{
			operation: "createWebhookSubscription", body: members{"serverUrl": "{{webhookUrl}}"},
			sets: values{
				"subscriptionId": "body.data.subscription.subscriptionId", "secretId": "body.data.secret.secretId",
			},
		},
		{operation: "listWebhookSubscriptions"},
		{operation: "getWebhookSubscription"},
		{operation: "updateWebhookSubscription"},
		{operation: "createWebhookSecret"}, // so that the first can be revoked
		{operation: "listWebhookSecrets"},
		{operation: "deleteWebhookSecret"},
		{
			operation: "simulateEvent", body: members{"subscriptionId": "{{subscriptionId}}"},
			sets: values{"eventId": "body.data.event.eventId"},
		},
		{
			operation: "listDeliveryAttempts",
			until:     `body.data.attempts.some((a) => a.eventId === pm.collectionVariables.get("eventId"))`,
		},
		{operation: "updateWebhookSubscriptionStatus"},
	}
}
