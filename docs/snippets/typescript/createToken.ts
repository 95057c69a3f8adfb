import { Aviso } from "@aviso/client";

// The client gets its token with the first call, and renews it.
const aviso = new Aviso({ clientId, clientSecret, baseUrl });
console.log(await aviso.terms.list().all());
