import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const link = await user.connections.reconnect(connectionId, {
  returnUrl: "https://partner.example/back",
});
console.log("Send the user to", link.redirectUrl);
