import httpx

from aviso import Aviso

client = Aviso()
to = client.user(user_id).cancellations.get(cancellation_id).reply_address
mail = (
    f"From: Vidorama <service@vidorama.example>\r\nTo: {to}\r\n"
    "Subject: Your cancellation\r\n\r\n"
    "We have received your letter under the number 48201.\r\n"
)
token = httpx.post(
    f"{base_url}/oauth2/token",
    data={"grant_type": "client_credentials"},
    auth=(client_id, client_secret),
).json()["access_token"]
response = httpx.post(
    f"{base_url}/sandbox/v1/mail",
    content=mail,
    headers={"Authorization": f"Bearer {token}", "Content-Type": "message/rfc822"},
)
print(response.status_code)
