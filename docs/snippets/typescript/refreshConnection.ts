import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
// The address of the user, who is present: banks limit reads without one.
const psu = { "X-Psu-Ip-Address": "203.0.113.7" };
const connection = await user.connections.refresh(connectionId, psu);
console.log("Next refresh from", connection.nextRefreshPossibleAt);
