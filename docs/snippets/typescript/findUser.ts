import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = await aviso.users.find("customer-4711");
console.log(user.userId);
