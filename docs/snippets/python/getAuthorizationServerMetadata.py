import httpx

url = f"{base_url}/.well-known/oauth-authorization-server"
metadata = httpx.get(url).raise_for_status().json()
print(metadata["token_endpoint"], metadata["scopes_supported"])
