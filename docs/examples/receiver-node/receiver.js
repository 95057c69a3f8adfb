// Receives Aviso's callbacks: verifies, stores and acknowledges each one before processing it.
//
//   npm ci
//   PORT=8080 WEBHOOK_SECRET=whsec_… npm start
//
// During a rotation, WEBHOOK_SECRET contains both secrets, separated by a space.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const maxBody = 1 << 20; // far larger than any callback

const keys = (process.env.WEBHOOK_SECRET ?? "").split(/\s+/).filter(Boolean).map((key) => new Webhook(key));
if (keys.length === 0) throw new Error("WEBHOOK_SECRET: it is empty");

// In memory only; use a table with eventId as its primary key.
const stored = new Map();

// Returns the event if one of the keys signed the body within the last five minutes.
function verify(body, headers) {
  let reason;
  for (const key of keys) {
    try {
      return key.verify(body, headers);
    } catch (error) {
      reason = error.message; // try the next key
    }
  }
  console.error("not acknowledged:", reason);
  return undefined;
}

// The signature covers exactly these bytes. JSON that was parsed and serialised
// again would not match.
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBody) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request, response) {
  if (request.method !== "POST") return response.writeHead(405, { allow: "POST" }).end();
  const event = verify(await read(request), request.headers);
  if (!event) return response.writeHead(401).end();

  // Store before acknowledging: an acknowledged event is not sent again.
  const repeated = stored.has(event.eventId);
  stored.set(event.eventId, event);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ isAcknowledged: true, timestamp: new Date().toISOString() }));

  // A duplicate is acknowledged too, but not processed again.
  if (!repeated) setImmediate(apply, event);
}

// Your application starts here.
function apply(event) {
  console.log(event.occurredAt, event.eventType, event.eventId);
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(400, { connection: "close" }).end());
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
