// Connects two people's accounts and reads them with the generated client.
import Big from "big.js";
import {
  AccountsApi, AuthenticationApi, Configuration, ConnectionsApi, ProblemFromJSON, ProvidersApi, ResponseError, TermsApi,
  TransactionsApi, UsersApi, type AcceptTermsRequestTermsTypeEnum,
} from "./generated/index.js";

const { BASE_URL, FUTURE_URL, APPROVE_URL } = process.env;
const token = await new AuthenticationApi(new Configuration({ basePath: BASE_URL! })).createToken({
  grantType: "client_credentials", clientId: "sandbox", clientSecret: "sandbox-secret",
});
const accessToken = `Bearer ${token.accessToken}`; // for OAuth 2.0 it adds no Bearer itself
const api = new Configuration({ basePath: BASE_URL!, accessToken });

const created = await new UsersApi(api).createUser({ createUserRequest: { countryCode: "DE", languageCode: "en" } });
const userId = created.data.user.userId;
const user = { xUserId: userId };
console.log("user", userId);
for (const { termsType, version } of (await new TermsApi(api).listTerms()).data.terms) {
  // The terms' type is open, and the request's is not.
  const acceptTermsRequest = { termsType: termsType as AcceptTermsRequestTermsTypeEnum, version };
  await new TermsApi(api).acceptTerms({ userId, acceptTermsRequest });
}
let connectionId = "";
for (const persona of ["family", "anna"]) connectionId = await connect(persona);

console.log("accounts", (await new AccountsApi(api).listAccounts(user)).data.accounts.length);
let count = 0;
let sum = new Big(0);
let nextToken: string | undefined;
do {
  const page = await new TransactionsApi(api).listTransactions({ ...user, limit: 200, ...(nextToken && { nextToken }) });
  for (const { amount } of page.data.transactions) {
    // The shortest text of a number has the digits that were sent, up to 15 of them.
    sum = sum.plus(String(amount));
    count++;
  }
  nextToken = page.meta.pagination.nextToken;
} while (nextToken);
console.log("transactions", count);
console.log("sum", sum.toFixed(2));

try {
  await new TransactionsApi(api).getTransaction({ ...user, transactionId: crypto.randomUUID() });
} catch (refused) {
  if (!(refused instanceof ResponseError)) throw refused;
  const problem = ProblemFromJSON(await refused.response.json());
  console.log("error", problem.status, problem.code);
}

const later = new Configuration({ basePath: FUTURE_URL!, accessToken });
const state = await new ConnectionsApi(later).getConnection({ ...user, connectionId });
const accounts = await new AccountsApi(later).listAccounts(user);
const rows = (await new TransactionsApi(later).listTransactions({ ...user, limit: 4 })).data.transactions;
console.log("future", ...rows.map((row) => String(row.amount)), state.data.connection.connectionStatus,
  accounts.data.accounts[0]?.accountType, rows[0]?.recordState);

async function connect(persona: string): Promise<string> {
  const banks = await new ProvidersApi(api).listProviders({ providerNameFilter: "linden" });
  const createConnectionRequest = { providerId: banks.data.providers[0]!.id, returnUrl: "http://localhost:8080/" };
  const created = await new ConnectionsApi(api).createConnection({ ...user, createConnectionRequest });
  const { connectionId, redirectUrl } = created.data;
  await fetch(APPROVE_URL + persona, { method: "POST", body: redirectUrl });
  for (;;) {
    const state = await new ConnectionsApi(api).getConnection({ ...user, connectionId });
    if (state.data.connection.lastSuccessAt.getUTCFullYear() > 1) return connectionId;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}
