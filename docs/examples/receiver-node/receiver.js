// Takes Aviso's callbacks: verifies, stores, acknowledges, and only then works.
//
//   npm ci
//   PORT=8080 WEBHOOK_SECRET=whsec_… npm start
//
// While secrets are rotated, WEBHOOK_SECRET holds both, with a space between.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const maxBody = 1 << 20; // far more than a callback has

const keys = (process.env.WEBHOOK_SECRET ?? "").split(/\s+/).filter(Boolean).map((key) => new Webhook(key));
if (keys.length === 0) throw new Error("WEBHOOK_SECRET: there is none");

// Stands for a table whose primary key is eventId.
const stored = new Map();

// The event, if one of the keys has signed the body within the last five minutes.
function verify(body, headers) {
  for (const key of keys) {
    try {
      return key.verify(body, headers);
    } catch {
      // perhaps the next key
    }
  }
  return undefined;
}

// The signature is of these bytes: JSON that was parsed and written anew would
// not match.
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

  // Store before acknowledging: an acknowledged event does not come again.
  const repeated = stored.has(event.eventId);
  stored.set(event.eventId, event);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ isAcknowledged: true, timestamp: new Date().toISOString() }));

  // A repetition is acknowledged as well, and does nothing else.
  if (!repeated) setImmediate(apply, event);
}

// Where your application begins.
function apply(event) {
  console.log(event.occurredAt, event.eventType, event.eventId);
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(400, { connection: "close" }).end());
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
