import { setTimeout as sleep } from "node:timers/promises";
import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
let clock = await user.sandbox.getClock();
while (clock.status === "Advancing") {
  await sleep(1000);
  clock = await user.sandbox.getClock();
}
console.log("The user's time is", clock.now);
