import { writeFile } from "node:fs/promises";

const response = await fetch(`${baseUrl}/openapi.yaml`);
if (!response.ok) throw new Error(response.statusText);
await writeFile("openapi.yaml", await response.text());
