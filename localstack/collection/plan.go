package collection

type (
	values  = map[string]string // by name; of variables they are code
	members = map[string]any
)

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
	query values
	// body replaces members of the document's example. nil omits one.
	body members
	// before is code that runs before the request.
	before string
	// sets are variables with the code of their values, by name.
	sets values
	// until is code of a condition. The request is repeated until it holds, half a second
	// apart and a limited number of times.
	until string
	// check is the same for a condition that must hold at once.
	check string
	// refused is the status of a problem that is expected instead of an answer.
	refused string
	// mayBeEmpty: the list in the answer need not have elements.
	mayBeEmpty bool
}

// page is the request of a browser. It is answered with a redirect, which is not followed.
type page struct {
	method, url string
	form        []field
	header      []field
}

// plan returns every operation, in an order that works from an empty stack to the end.
func plan() []area {
	return []area{
		{name: "Authentication", steps: []step{
			{operation: "getAuthorizationServerMetadata"},
			{operation: "getKeySet", check: "body.keys.length > 0"},
			{operation: "createToken", body: members{"scope": nil}, sets: values{
				"accessToken":          "body.access_token",
				"accessTokenExpiresAt": "String(Date.now() + body.expires_in * 1000)",
			}},
		}},
		{name: "Document", steps: []step{
			{operation: "getDocument", check: `pm.response.text().includes("openapi: 3.1")`},
		}},
		{name: "Users", steps: users()},
		{name: "Terms", steps: terms()},
		{name: "Providers", steps: []step{
			{operation: "listProviderCountries"},
			{
				operation: "listProviders", query: values{"countryCode": "DE", "providerNameFilter": "linden"},
				sets: values{"providerId": "body.data.providers[0].id"},
			},
			{operation: "getProvider"},
		}},
		{name: "Connections", steps: connections()},
		{name: "Accounts", steps: []step{
			{operation: "listAccounts", sets: values{"accountId": "body.data.accounts[0].accountId"}},
		}},
		{name: "Sandbox", steps: []step{{
			operation: "createTestTransactions",
			body: members{"accountId": "{{accountId}}", "transactions": []members{
				{"amount": -17.99, "counterparty": "Vidorma", "note": "VIDORMA {{connectionId}}"},
			}},
		}}},
		{
			name:        "Refresh and renew",
			description: "Read a connected bank again, or ask the user for another consent.",
			steps: []step{
				{operation: "refreshConnection"},
				{operation: "reconnectConnection", body: members{"returnUrl": "{{returnUrl}}"}},
			},
		},
		{name: "Transactions", steps: transactions()},
		{name: "Insights", steps: []step{
			{operation: "listCategoryInsights"},
			{operation: "listMerchantInsights"},
			{
				operation: "listRecurringContracts",
				sets:      values{"subscriptionId": "body.data.subscriptions[0].subscriptionId"},
			},
			{operation: "updateRecurringContract"},
			{operation: "listSavings", mayBeEmpty: true},
			{operation: "listPriceChanges", mayBeEmpty: true},
		}},
		{name: "Search", steps: []step{{
			operation: "searchCatalogue", query: values{"searchQuery": "Nur Post"},
			sets: values{
				"postOrganizationId": "body.data.organizations[0].id",
				"postProductId":      "body.data.products[0].productId",
			},
		}}},
		{name: "Catalogue", steps: catalogue()},
		{name: "Cancellations", steps: cancellations()},
		{name: "Webhooks", steps: webhooks()},
		{name: "Clients", steps: []step{{operation: "createOpenBankingClient"}}},
		{
			name:        "Time",
			description: "A week passes for the user, and what comes with it happens.",
			steps: []step{
				{operation: "advanceClock", body: members{"advanceBy": "P1W"}},
				{operation: "getClock", until: `body.data.clock.status === "Ready"`},
			},
		},
		{
			name:        "Clean up",
			description: "Deletes what the requests above have created.",
			steps: []step{
				{operation: "deleteWebhookSubscription"},
				{operation: "deleteConnection"},
				{operation: "deleteUser", sets: values{"erasureId": "body.data.erasure.erasureId"}},
				{operation: "getErasure"},
			},
		},
	}
}
