import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const { replyAddress } = await aviso.user(userId).cancellations.get(cancellationId);
const mail = [
  "From: Vidorama <service@vidorama.example>", `To: ${replyAddress}`, "Subject: Your cancellation", "",
  "We have received your letter under the number 48201.", "",
].join("\r\n");
const body = new URLSearchParams({
  grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret,
});
const fetched = await fetch(`${baseUrl}/oauth2/token`, { method: "POST", body });
const { access_token: token } = (await fetched.json()) as { access_token: string };
const response = await fetch(`${baseUrl}/sandbox/v1/mail`, {
  method: "POST", body: mail,
  headers: { Authorization: `Bearer ${token}`, "Content-Type": "message/rfc822" },
});
console.log(response.status);
