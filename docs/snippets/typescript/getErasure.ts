import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const erasure = await aviso.users.getErasure(erasureId);
console.log(erasure.status, erasure.counts);
