// A local server that answers what a test says, and remembers what it was asked.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Aviso, type AvisoOptions } from "../src/index.js";

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What to answer. `lost` closes the connection without an answer; `hangs` never answers. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  lost?: true;
  hangs?: true;
}

export type Handler = (asked: Asked, count: number) => Reply | Promise<Reply>;

export interface Fake {
  /** What was asked, without tokens. */
  asked: Asked[];
  /** How many tokens were asked for. */
  tokens: number;
  baseUrl: string;
  aviso(options?: AvisoOptions): Aviso;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Tokens {
  expiresIn?: number;
  reply?: (count: number) => Reply | undefined | Promise<Reply | undefined>;
}

/** Starts a server. Tokens are token-1, token-2 and so on. */
export async function serve(handler: Handler, { expiresIn = 3600, reply }: Tokens = {}): Promise<Fake> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", fake.baseUrl);
    const body = (await buffer(request)).toString();
    let answer: Reply;
    if (url.pathname === "/oauth2/token") {
      fake.tokens++;
      const { tokens } = fake;
      answer = (await reply?.(tokens)) ?? { body: { access_token: `token-${tokens}`, expires_in: expiresIn } };
    } else {
      const asked = { method: request.method ?? "", url, headers: request.headers, body };
      fake.asked.push(asked);
      answer = await handler(asked, fake.asked.length);
    }
    if (answer.lost) return request.socket.destroy();
    if (answer.hangs) return undefined;
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? { data: {}, meta: {} });
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    return response.end(answer.status === 204 ? undefined : text);
  });
  const fake: Fake = {
    asked: [],
    tokens: 0,
    baseUrl: "",
    aviso: (options) => new Aviso({ clientId: "id", clientSecret: "secret", baseUrl: fake.baseUrl, ...options }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

export function problem(status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Reply {
  const type = `https://aviso.example/problems/${code}`;
  const body = { type, title: "Title", detail: "Detail.", status, code, traceId: "trace-1", ...more };
  return { status, headers: { "content-type": "application/problem+json", ...headers }, body };
}
