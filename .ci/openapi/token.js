// Gets an access token by client credentials, and the next one a minute before it expires.
// Another environment or client needs another token.
const owner = value("baseUrl") + " " + value("clientId");
const lasts = Number(pm.collectionVariables.get("accessTokenExpiresAt")) - 60000 > Date.now();
if (!lasts || owner !== pm.collectionVariables.get("accessTokenOwner")) {
  const form = [
    "grant_type=client_credentials",
    "client_id=" + encodeURIComponent(value("clientId")),
    "client_secret=" + encodeURIComponent(value("clientSecret")),
  ].join("&");
  pm.sendRequest({
    url: value("baseUrl") + "/oauth2/token",
    method: "POST",
    header: { "Content-Type": "application/x-www-form-urlencoded" },
    body: { mode: "raw", raw: form },
  }, (error, response) => {
    if (error || response.code !== 200) {
      throw error || new Error("No access token: check clientId and clientSecret. " + response.text());
    }
    const token = response.json();
    pm.collectionVariables.set("accessToken", token.access_token);
    pm.collectionVariables.set("accessTokenExpiresAt", String(Date.now() + token.expires_in * 1000));
    pm.collectionVariables.set("accessTokenOwner", owner);
  });
}
