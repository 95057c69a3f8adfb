// Starts fauxqs, the SQS emulator, on loopback. Its own command line listens on all
// interfaces, so this script starts its application instead. It prints its address
// when it is ready, and exits when standard input closes, which happens when its
// parent ends.
//
// fauxqs keeps messages in memory only. Given a file, this script saves them there
// whenever they change and sends them again at the next start, so that a queue
// survives a restart as it does on AWS. Receive counts start again at zero.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { buildApp } from "fauxqs";

const file = process.argv[2];
const app = buildApp({ logger: false });
const url = await app.listen({ host: "127.0.0.1", port: 0 });

async function call(action, body) {
  const response = await app.inject({
    method: "POST",
    url: "/",
    headers: {
      host: new URL(url).host,
      // The emulator reads the region for its ARNs from here and checks nothing else.
      authorization: `Credential=local/20200101/${process.env.AWS_REGION}/sqs/aws4_request`,
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `AmazonSQS.${action}`,
    },
    payload: JSON.stringify(body),
  });
  if (response.statusCode !== 200) throw new Error(`${action}: ${response.body}`);
  return response.json();
}

async function inspect(path) {
  return (await app.inject({ url: `/_fauxqs/queues${path}` })).json();
}

// The messages of every queue, including those in flight, which are sent again.
async function snapshot() {
  const queues = [];
  for (const { name } of await inspect("")) {
    const { messages } = await inspect(`/${name}`);
    const all = [...messages.ready, ...messages.delayed, ...messages.inflight.map((m) => m.message)];
    if (all.length === 0) continue;
    queues.push({
      name,
      messages: all.map(({ body, messageAttributes, delayUntil }) => ({ body, messageAttributes, delayUntil })),
    });
  }
  return JSON.stringify(queues);
}

let saved = "[]";

async function save() {
  const current = await snapshot();
  if (current === saved) return;
  // Write a new file and rename it, so that a crash leaves either the old or the new one.
  writeFileSync(`${file}.new`, current, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  saved = current;
}

async function restore() {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  for (const { name, messages } of JSON.parse(text)) {
    const { QueueUrl } = await call("CreateQueue", { QueueName: name });
    for (const { body, messageAttributes, delayUntil } of messages) {
      const seconds = Math.ceil(((delayUntil ?? 0) - Date.now()) / 1000);
      await call("SendMessage", {
        QueueUrl,
        MessageBody: body,
        MessageAttributes: messageAttributes,
        DelaySeconds: Math.min(Math.max(seconds, 0), 900),
      });
    }
  }
  saved = text;
}

async function end() {
  if (file) await save();
  process.exit(0);
}

if (file) {
  await restore();
  setInterval(save, 1000);
}
console.log(url);
process.on("SIGTERM", end);
process.stdin.resume().on("end", end);
