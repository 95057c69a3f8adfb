// Plays a user at a sandbox bank, over plain HTTP.

const accounts = { anna: ["current", "savings", "card"], family: ["current", "savings", "card", "joint"] };

/** Opens the link, shares all accounts, and returns the address that the user ends at. */
export async function approve(link: string, persona: keyof typeof accounts): Promise<string> {
  const opened = await fetch(link, { redirect: "manual" });
  const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
  const form = new URLSearchParams({ persona, decision: "approve" });
  for (const account of accounts[persona]) form.append("account[]", account);
  const approved = await fetch(location(opened), { method: "POST", body: form, redirect: "manual" });
  return location(await fetch(location(approved), { headers: { cookie }, redirect: "manual" }));
}

function location(response: Response): string {
  const to = response.headers.get("location");
  if (!to) throw new Error(`${response.url} answers ${response.status} and leads nowhere`);
  return new URL(to, response.url).href;
}
