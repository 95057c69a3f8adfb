import httpx

response = httpx.get(f"{base_url}/.well-known/jwks.json").raise_for_status()
print([key["kid"] for key in response.json()["keys"]])
