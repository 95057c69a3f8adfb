// Connects two people's accounts and reads them with the generated client.
import Big from "big.js";
import { createClient } from "./aviso/client/index.js";
import {
  acceptTerms, createConnection, createToken, createUser, getConnection, getTransaction, listAccounts, listProviders,
  listTerms, listTransactions, type AcceptTermsRequest,
} from "./aviso/index.js";

const { BASE_URL, FUTURE_URL, APPROVE_URL } = process.env;
const token = await createToken({
  client: createClient({ baseUrl: BASE_URL! }), throwOnError: true,
  body: { grant_type: "client_credentials" }, headers: { Authorization: `Basic ${btoa("sandbox:sandbox-secret")}` },
});
const auth = () => token.data.access_token;
const client = createClient({ baseUrl: BASE_URL!, auth });
const strict = { client, throwOnError: true } as const;

const created = await createUser({ ...strict, body: { countryCode: "DE", languageCode: "en" } });
const userId = created.data.data.user.userId;
const headers = { "X-User-Id": userId };
console.log("user", userId);
const terms = await listTerms(strict);
for (const { termsType, version } of terms.data.data.terms) {
  // The terms' type is open, and the request's is not.
  const body = { termsType: termsType as AcceptTermsRequest["termsType"], version };
  await acceptTerms({ ...strict, path: { userId }, body });
}
let connectionId = "";
for (const persona of ["family", "anna"]) connectionId = await connect(persona);

const accounts = await listAccounts({ ...strict, headers });
console.log("accounts", accounts.data.data.accounts.length);
let count = 0;
let sum = new Big(0);
let nextToken: string | undefined;
do {
  const page = await listTransactions({ ...strict, headers, query: { limit: 200, ...(nextToken && { nextToken }) } });
  for (const { amount } of page.data.data.transactions) {
    // The shortest text of a number has the digits that were sent, up to 15 of them.
    sum = sum.plus(String(amount));
    count++;
  }
  nextToken = page.data.meta.pagination.nextToken;
} while (nextToken);
console.log("transactions", count);
console.log("sum", sum.toFixed(2));

const missing = await getTransaction({ client, headers, path: { transactionId: crypto.randomUUID() } });
console.log("error", missing.error?.status, missing.error?.code);

const later = { client: createClient({ baseUrl: FUTURE_URL!, auth }), throwOnError: true } as const;
const state = await getConnection({ ...later, headers, path: { connectionId } });
const some = await listAccounts({ ...later, headers });
const four = await listTransactions({ ...later, headers, query: { limit: 4 } });
const rows = four.data.data.transactions;
console.log("future", ...rows.map((row) => String(row.amount)), state.data.data.connection.connectionStatus,
  some.data.data.accounts[0]?.accountType, rows[0]?.recordState);

async function connect(persona: string): Promise<string> {
  const banks = await listProviders({ ...strict, query: { providerNameFilter: "linden" } });
  const providerId = banks.data.data.providers[0]!.id;
  const body = { providerId, returnUrl: "http://localhost:8080/" };
  const created = await createConnection({ ...strict, headers, body });
  const { connectionId, redirectUrl } = created.data.data;
  await fetch(APPROVE_URL + persona, { method: "POST", body: redirectUrl });
  for (;;) {
    const state = await getConnection({ ...strict, headers, path: { connectionId } });
    if (!state.data.data.connection.lastSuccessAt.startsWith("0001")) return connectionId;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}
