package collection

import "net/http"

// area is a folder of the collection. If it has the name of a tag, the tag describes it.
type area struct {
	name, description string
	steps             []step
}

// step is a request. It is an operation of the document, or a page that a user's browser
// opens.
type step struct {
	operation string
	page      *page
	// name replaces the operation's summary, for another request to the same operation.
	name string
	// query enables parameters, which are disabled unless they are required.
	query map[string]string
	// body replaces members of the document's example. nil omits one.
	body map[string]any
	// before is code that runs before the request.
	before string
	// sets are variables with the code of their values, by name.
	sets map[string]string
	// until is code of a condition. The request is repeated until it holds, half a second
	// apart and a limited number of times.
	until string
	// check is the same for a condition that must hold at once.
	check string
}

// page is a page of a browser that does not follow redirects.
type page struct {
	method, url string
	form        []field
	header      []field
}

// What a user's browser does with the link of a connection, as README.md describes. It
// passes the cookie on itself, because clients send none that is Secure over plain HTTP.
const location = `pm.response.headers.get("Location")`

var consent = []step{
	{
		name: "Open the link, as the user's browser does",
		page: &page{method: http.MethodGet, url: "{{redirectUrl}}"},
		sets: map[string]string{
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
		sets: map[string]string{"wayBack": location},
	},
	{
		name: "Follow the bank's redirect back",
		page: &page{
			method: http.MethodGet, url: "{{wayBack}}",
			header: []field{{Key: "Cookie", Value: "{{browserCookie}}"}},
		},
		check: location + `.includes("status=success")`,
	},
}

// plan returns every operation, in an order that works from an empty stack to the end.
func plan() []area {
	return []area{
		{name: "Authentication", steps: []step{
			{operation: "getAuthorizationServerMetadata"},
			{operation: "getKeySet", check: "body.keys.length > 0"},
			{operation: "createToken", body: map[string]any{"scope": nil}, sets: map[string]string{
				"accessToken":          "body.access_token",
				"accessTokenExpiresAt": "String(Date.now() + body.expires_in * 1000)",
			}},
		}},
		{name: "Document", steps: []step{{operation: "getDocument", check: `pm.response.text().includes("openapi: 3.1")`}}},
		{name: "Users", steps: []step{
			{operation: "createUser", body: map[string]any{"externalId": "customer-{{$guid}}"}, sets: map[string]string{
				"userId": "body.data.user.userId", "externalId": "body.data.user.externalId",
			}},
			{operation: "findUser", query: map[string]string{"externalId": "{{externalId}}"}, check: same("body.data.user.userId", "userId")},
			{operation: "getUser"},
			{operation: "updateUser"},
		}},
		{name: "Terms", steps: []step{
			{operation: "listTerms", sets: map[string]string{"termsLeft": "JSON.stringify(body.data.terms)"}},
			{
				operation: "acceptTerms",
				body:      map[string]any{"termsType": "{{termsType}}", "version": "{{termsVersion}}"},
				before: `// One request for each of the terms of the list before.
const left = JSON.parse(pm.collectionVariables.get("termsLeft"));
const terms = left.shift();
pm.collectionVariables.set("termsLeft", JSON.stringify(left));
pm.collectionVariables.set("termsType", terms.termsType);
pm.collectionVariables.set("termsVersion", terms.version);`,
				until: `pm.collectionVariables.get("termsLeft") === "[]"`,
			},
			{operation: "listTermsAcceptances", check: "body.data.termsAcceptances.length === 3"},
		}},
		{name: "Providers", steps: []step{
			{operation: "listProviderCountries"},
			{
				operation: "listProviders",
				query:     map[string]string{"countryCode": "DE", "providerNameFilter": "linden"},
				sets:      map[string]string{"providerId": "body.data.providers[0].id"},
			},
			{operation: "getProvider"},
		}},
		{name: "Connections", steps: append(append([]step{
			{
				operation: "createConnection",
				body:      map[string]any{"providerId": "{{providerId}}", "returnUrl": "{{returnUrl}}"},
				sets: map[string]string{
					"connectionId": "body.data.connectionId", "redirectUrl": "body.data.redirectUrl",
				},
			},
		}, consent...), []step{
			// The first read is complete when this is no longer in the year 0001.
			{operation: "getConnection", until: `body.data.connection.lastSuccessAt > "0002"`},
			{operation: "listConnections"},
		}...)},
		{name: "Accounts", steps: []step{
			{operation: "listAccounts", sets: map[string]string{"accountId": "body.data.accounts[0].accountId"}},
		}},
		{name: "Sandbox", steps: []step{{
			operation: "createTestTransactions",
			body: map[string]any{"accountId": "{{accountId}}", "transactions": []any{
				map[string]any{"amount": -17.99, "counterparty": "Vidorma", "note": "VIDORMA {{connectionId}}"},
			}},
		}}},
		{
			name:        "Refresh and renew",
			description: "Read a connected bank again, or ask the user for another consent.",
			steps: []step{
				{operation: "refreshConnection"},
				{
					operation: "reconnectConnection", body: map[string]any{"returnUrl": "{{returnUrl}}"},
					check: same("body.data.connectionId", "connectionId"),
				},
			},
		},
		{name: "Transactions", steps: []step{
			{operation: "listTransactionCategories"},
			{
				operation: "listTransactions", query: map[string]string{"text": "{{connectionId}}"},
				until: "body.data.transactions.length > 0",
				sets:  map[string]string{"transactionId": "body.data.transactions[0].id"},
			},
			{operation: "getTransaction"},
			{operation: "updateTransaction"},
			{operation: "deleteTransactionCategory"},
			{operation: "listTransactionChanges"},
		}},
		{name: "Insights", steps: []step{
			{operation: "listCategoryInsights"},
			{operation: "listMerchantInsights"},
			{operation: "listRecurringContracts"},
		}},
		{name: "Search", steps: []step{{
			operation: "searchCatalogue", query: map[string]string{"searchQuery": "Nur Post"},
			sets: map[string]string{
				"postOrganizationId": "body.data.organizations[0].id",
				"postProductId":      "body.data.products[0].productId",
			},
		}}},
		{name: "Catalogue", steps: []step{
			{operation: "listCancellationCategories"},
			{
				operation: "listOrganizations",
				query:     map[string]string{"categoryId": "3724078d-120a-536d-9f05-ab76a811b404", "limit": "200"},
				sets:      map[string]string{"organizationId": `body.data.organizations.find((o) => o.name === "Vidorama").id`},
			},
			{operation: "getOrganization"},
			{operation: "listProducts", sets: map[string]string{"productId": "body.data.products[0].productId"}},
			{operation: "getProduct"},
		}},
		{name: "Cancellations", steps: []step{
			{
				operation: "createCancellation",
				body: map[string]any{
					"organizationId": "{{organizationId}}", "productId": "{{productId}}",
					"externalCancellationRequestIdentifier": "order-{{$guid}}",
				},
				sets: map[string]string{"cancellationId": "body.data.cancellation.cancellationId"},
			},
			{operation: "getCancellation", until: `body.data.cancellation.status === "Delivered"`},
			{operation: "getCancellationLetter", check: `pm.response.text().includes("%PDF-")`},
			{operation: "listCancellations"},
			{
				operation: "createCancellation", name: "Cancel a contract by post, to withdraw it",
				body: map[string]any{
					"organizationId": "{{postOrganizationId}}", "productId": "{{postProductId}}",
					"externalCancellationRequestIdentifier": "order-{{$guid}}",
					"parameters": []any{
						map[string]any{"fieldKey": "NAME", "fieldValue": "Anna Sommer"},
						map[string]any{"fieldKey": "ADDRESS", "fieldValue": "Lindenallee 12"},
						map[string]any{"fieldKey": "ZIP", "fieldValue": "50667"},
						map[string]any{"fieldKey": "CITY", "fieldValue": "Köln"},
						map[string]any{"fieldKey": "EMAIL", "fieldValue": "anna.sommer@example.org"},
						map[string]any{"fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-204817"},
					},
				},
				sets: map[string]string{"cancellationId": "body.data.cancellation.cancellationId"},
			},
			// It is not possible in the moments in which the letter is handed over.
			{operation: "withdrawCancellation", until: "pm.response.code !== 409"},
		}},
		{name: "Webhooks", steps: webhooks()},
		{name: "Clients", steps: []step{{operation: "createOpenBankingClient"}}},
		{
			name:        "Clean up",
			description: "Deletes what the requests above have created.",
			steps: []step{
				{operation: "deleteWebhookSubscription"},
				{operation: "deleteConnection"},
				{operation: "deleteUser", sets: map[string]string{"erasureId": "body.data.erasure.erasureId"}},
				{operation: "getErasure", check: same("body.data.erasure.erasureId", "erasureId")},
			},
		},
	}
}

func webhooks() []step {
	return []step{
		{operation: "listEventTypes"},
		{
			operation: "createWebhookSubscription", body: map[string]any{"serverUrl": "{{webhookUrl}}"},
			sets: map[string]string{
				"subscriptionId": "body.data.subscription.subscriptionId", "secretId": "body.data.secret.secretId",
			},
		},
		{operation: "listWebhookSubscriptions"},
		{operation: "getWebhookSubscription"},
		{operation: "updateWebhookSubscription"},
		{operation: "createWebhookSecret"}, // it replaces the first one, which is then revoked
		{operation: "listWebhookSecrets"},
		{operation: "deleteWebhookSecret"},
		{
			operation: "simulateEvent", body: map[string]any{"subscriptionId": "{{subscriptionId}}"},
			sets: map[string]string{"eventId": "body.data.event.eventId"},
		},
		{
			operation: "listDeliveryAttempts",
			until:     `body.data.attempts.some((a) => a.eventId === pm.collectionVariables.get("eventId"))`,
		},
		{operation: "updateWebhookSubscriptionStatus"},
	}
}

// same returns the code of the condition that a value is that of the variable.
func same(value, variable string) string {
	return value + ` === pm.collectionVariables.get("` + variable + `")`
}
