// Connects two people's accounts and reads them with openapi-fetch and the generated types.
import Big from "big.js";
import createClient from "openapi-fetch";
import type { components, paths } from "./aviso.js";

const { BASE_URL, FUTURE_URL, APPROVE_URL } = process.env;
const token = await createClient<paths>({ baseUrl: BASE_URL }).POST("/oauth2/token", {
  body: { grant_type: "client_credentials" },
  headers: {
    "Authorization": `Basic ${btoa("sandbox:sandbox-secret")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  },
});
const headers = { Authorization: `Bearer ${must(token.data).access_token}` };
const client = createClient<paths>({ baseUrl: BASE_URL, headers });

const created = await client.POST("/identity/v1/users", { body: { countryCode: "DE", languageCode: "en" } });
const userId = must(created.data).data.user.userId;
const user = { "X-User-Id": userId };
console.log("user", userId);
const terms = await client.GET("/identity/v1/terms");
for (const { termsType, version } of must(terms.data).data.terms) {
  await client.POST("/identity/v1/users/{userId}/terms-acceptances", {
    params: { path: { userId } },
    // The terms' type is open, and the request's is not.
    body: { termsType: termsType as components["schemas"]["AcceptTermsRequest"]["termsType"], version },
  });
}
let connectionId = "";
for (const persona of ["family", "anna"]) connectionId = await connect(persona);

const accounts = await client.GET("/openbanking/v1/accounts", { params: { header: user } });
console.log("accounts", must(accounts.data).data.accounts.length);
let count = 0;
let sum = new Big(0);
let nextToken: string | undefined;
do {
  const page = await client.GET("/openbanking/v1/transactions", {
    params: { header: user, query: { limit: 200, ...(nextToken && { nextToken }) } },
  });
  for (const { amount } of must(page.data).data.transactions) {
    // The shortest text of a number has the digits that were sent, up to 15 of them.
    sum = sum.plus(String(amount));
    count++;
  }
  nextToken = must(page.data).meta.pagination.nextToken;
} while (nextToken);
console.log("transactions", count);
console.log("sum", sum.toFixed(2));

const missing = await client.GET("/openbanking/v1/transactions/{transactionId}", {
  params: { header: user, path: { transactionId: crypto.randomUUID() } },
});
console.log("error", missing.error?.status, missing.error?.code);

const later = createClient<paths>({ baseUrl: FUTURE_URL, headers });
const state = await later.GET("/openbanking/v1/connections/{connectionId}", {
  params: { header: user, path: { connectionId } },
});
const some = await later.GET("/openbanking/v1/accounts", { params: { header: user } });
const four = await later.GET("/openbanking/v1/transactions", { params: { header: user, query: { limit: 4 } } });
const rows = must(four.data).data.transactions;
console.log("future", ...rows.map((row) => String(row.amount)), must(state.data).data.connection.connectionStatus,
  some.data?.data.accounts[0]?.accountType, rows[0]?.recordState);

async function connect(persona: string): Promise<string> {
  const banks = await client.GET("/openbanking/v1/providers", { params: { query: { providerNameFilter: "linden" } } });
  const providerId = must(must(banks.data).data.providers[0]).id;
  const created = await client.POST("/openbanking/v1/connections", {
    params: { header: user }, body: { providerId, returnUrl: "http://localhost:8080/" },
  });
  const { connectionId, redirectUrl } = must(created.data).data;
  await fetch(APPROVE_URL + persona, { method: "POST", body: redirectUrl });
  for (;;) {
    const state = await client.GET("/openbanking/v1/connections/{connectionId}", {
      params: { header: user, path: { connectionId } },
    });
    if (!must(state.data).data.connection.lastSuccessAt.startsWith("0001")) return connectionId;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the service refused the request");
  return value;
}
