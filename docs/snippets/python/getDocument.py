from pathlib import Path

import httpx

response = httpx.get(f"{base_url}/openapi.yaml").raise_for_status()
Path("openapi.yaml").write_bytes(response.content)
