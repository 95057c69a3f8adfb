import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const connection of user.connections.list()) {
  console.log(connection.providerName, connection.connectionStatus);
}
