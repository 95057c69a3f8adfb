import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const erasure = await aviso.users.delete(userId);
console.log(erasure.erasureId, erasure.status);
