import type { AuthorizationServerMetadata } from "@aviso/client";

const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
if (!response.ok) throw new Error(response.statusText);
const metadata = (await response.json()) as AuthorizationServerMetadata;
console.log(metadata.token_endpoint, metadata.scopes_supported);
