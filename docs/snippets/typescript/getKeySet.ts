import type { KeySet } from "@aviso/client";

const response = await fetch(`${baseUrl}/.well-known/jwks.json`);
if (!response.ok) throw new Error(response.statusText);
const { keys } = (await response.json()) as KeySet;
console.log(keys.map((key) => key["kid"]));
