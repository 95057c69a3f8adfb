import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const clock = await user.sandbox.advanceClock({ advanceBy: "P1M" });
console.log(clock.status, "until", clock.advancedTo);
