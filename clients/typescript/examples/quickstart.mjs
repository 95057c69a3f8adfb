import { createServer } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { acknowledgement, Aviso, Decimal, verify } from "@aviso/client";

const aviso = new Aviso(); // AVISO_CLIENT_ID, AVISO_CLIENT_SECRET, AVISO_BASE_URL
const { userId } = await aviso.users.create({ countryCode: "DE", languageCode: "en" });
const user = aviso.user(userId);
for await (const terms of aviso.terms.list()) await user.terms.accept(terms); // once the user has agreed

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return response.end("Thank you."); // the user, back from the bank
  const event = await verify(await buffer(request), request.headers, hook.secret.key);
  response.end(acknowledgement());
  if (event.userId !== userId) return; // another user's, or a simulation without a user
  const transactions = await user.transactions.list().all();
  for (const t of transactions) console.log(t.recordDate, t.amount.toFixed(2), t.currencyCode, t.note);
  console.log(transactions.length, "transactions, in all", Decimal.sum(transactions.map((t) => t.amount)).toFixed(2));
  await aviso.webhooks.deleteSubscription(hook.subscription.subscriptionId);
  server.close();
}).listen(8090);
await once(server, "listening");
const here = "http://localhost:8090/";
const hook = await aviso.webhooks.createSubscription({ serverUrl: here, events: ["connection.refreshed"] });
const [bank] = await aviso.providers.list({ providerNameFilter: "linden" }).all();
if (!bank) throw new Error("there is no such bank");
const { redirectUrl } = await user.connections.create({ providerId: bank.id, returnUrl: here });
console.log("Open this link, and approve:", redirectUrl);
