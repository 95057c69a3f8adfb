import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const { connectionId, redirectUrl } = await user.connections.create(
  { providerId, returnUrl: "https://partner.example/back" },
  { idempotencyKey: `connect-${userId}` },
);
console.log("Connection", connectionId, "needs the user at", redirectUrl);
