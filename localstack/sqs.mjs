// Starts fauxqs, the SQS emulator, on loopback. Its own command line listens on all
// interfaces, so this script starts its application instead. It prints its address
// when it is ready, and exits when standard input closes, which happens when its
// parent ends.
//
// fauxqs keeps messages in memory only. Given a file, this script writes every change to
// it before the emulator answers, and loads it at the next start. So a queue survives
// even a kill, as it does on AWS. Receive counts are those of when a queue got a message.
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { buildApp } from "fauxqs";
// The package does not export these, but package-lock.json pins its version.
import { SqsQueue, SqsStore } from "./node_modules/fauxqs/dist/sqs/sqsStore.js";

const file = process.argv[2];
const sqsStore = new SqsStore();
const app = buildApp({ logger: false, stores: { sqsStore } });
const url = await app.listen({ host: "127.0.0.1", port: 0 });

// What the file says: the messages by ID, each with the name of its queue.
const kept = new Map();
let log, lines;

// A line says that a queue got a message, perhaps from the queue whose dead letters it
// takes, or that a message is gone.
function apply({ gone, queue, message }) {
  if (gone) kept.delete(gone);
  else kept.set(message.messageId, { queue, message });
}

function record(change) {
  apply(change);
  appendFileSync(log, JSON.stringify(change) + "\n");
  if (++lines > 1000 + 2 * kept.size) rewrite();
}

// rewrite drops what is gone. A crash leaves either the old or the new file.
function rewrite() {
  const text = [...kept.values()].map((change) => JSON.stringify(change) + "\n").join("");
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  if (log) closeSync(log);
  [log, lines] = [openSync(file, "a"), kept.size];
}

function read() {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

// A queue gets its attributes later, when the stack creates it again.
async function createQueue(name) {
  const response = await app.inject({
    method: "POST",
    url: "/",
    headers: {
      host: new URL(url).host,
      // The emulator reads the region for its ARNs from here and checks nothing else.
      authorization: `Credential=local/20200101/${process.env.AWS_REGION}/sqs/aws4_request`,
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.CreateQueue",
    },
    payload: JSON.stringify({ QueueName: name }),
  });
  if (response.statusCode !== 200) throw new Error(`CreateQueue: ${response.body}`);
}

async function restore() {
  // A last line without its end was never acknowledged.
  for (const line of read().split("\n").slice(0, -1)) apply(JSON.parse(line));
  for (const { queue, message } of kept.values()) {
    if (!sqsStore.getQueueByName(queue)) await createQueue(queue);
    sqsStore.getQueueByName(queue).enqueue(message);
  }
  rewrite();
}

function recordChanges() {
  const { enqueue, deleteMessage, purge } = SqsQueue.prototype;
  SqsQueue.prototype.enqueue = function (message) {
    record({ queue: this.name, message });
    enqueue.call(this, message);
  };
  SqsQueue.prototype.deleteMessage = function (handle) {
    const entry = this.inflightMessages.get(handle);
    if (entry) record({ gone: entry.message.messageId });
    return deleteMessage.call(this, handle);
  };
  SqsQueue.prototype.purge = function () {
    for (const [gone, { queue }] of kept) if (queue === this.name) record({ gone });
    purge.call(this);
  };
}

if (file) {
  await restore();
  recordChanges();
}
console.log(url);
process.on("SIGTERM", () => process.exit(0));
process.stdin.resume().on("end", () => process.exit(0));
