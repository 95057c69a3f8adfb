import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const connection = await user.connections.get(connectionId);
console.log(connection.connectionStatus, connection.lastSuccessAt);
