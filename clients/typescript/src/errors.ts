import type { Problem, ProblemField } from "./core/types.js";
import { parse } from "./json.js";

/** What the service, or something before it, has answered. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** The base class of all errors of this package. */
export class AvisoError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** No answer arrived: the connection failed, or the time was up. `cause` says more. */
export class ConnectionFailedError extends AvisoError {
  constructor(readonly code: "connection_failed" | "timeout", message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The service refused the request with a problem (RFC 9457). Decide by class or by `code`. */
export class ProblemError extends AvisoError {
  readonly status: number;
  /** What is wrong, for programs. Treat a code that you do not know like its status. */
  readonly code: Problem["code"];
  /** Quote it when you contact support. */
  readonly traceId: string;
  /** The parts of the request that are wrong. */
  readonly errors: readonly ProblemField[];
  /** With `already_cancelled`: the cancellation that there is. */
  readonly cancellationId: string | undefined;
  /** With `conflict` of sendObjection: the objection that there is. */
  readonly objectionId: string | undefined;
  /** How many seconds to wait before the request is sent again, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(answer: Answer) {
    const problem = read(answer);
    // The token endpoint answers as OAuth does, and what is before the service as it likes.
    const code = problem.code ?? problem.error ?? `http_${answer.status}`;
    const traceId = problem.traceId ?? answer.headers.get("x-request-id") ?? "";
    super(says(answer.status, problem) + (traceId && `, trace ID ${traceId}`));
    this.status = answer.status;
    this.code = code;
    this.traceId = traceId;
    this.errors = problem.errors ?? [];
    this.cancellationId = problem.cancellationId;
    this.objectionId = problem.objectionId;
    this.retryAfter = secondsUntil(answer.headers.get("retry-after"));
  }
}

/** The client's ID, secret or token is not accepted. */
export class AuthenticationError extends ProblemError {}
/** The token's scopes, the user's terms or the environment do not allow it. */
export class PermissionDeniedError extends ProblemError {}
/** There is no such thing, or it is not yours. */
export class NotFoundError extends ProblemError {}
/** The state of the thing does not allow it. */
export class ConflictError extends ProblemError {}
/** The request is wrong: `errors` says where. */
export class ValidationError extends ProblemError {}
/** There were too many requests, or it is too early. */
export class RateLimitedError extends ProblemError {}
/** The service failed. */
export class ServerError extends ProblemError {}

const classes: Record<number, typeof ProblemError> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
};

export function problemOf(answer: Answer): ProblemError {
  const { status } = answer;
  return new (classes[status] ?? (status >= 400 && status < 500 ? ValidationError : ServerError))(answer);
}

type Body = Partial<Problem> & { error?: string; error_description?: string };

function read(answer: Answer): Body {
  try {
    const body = parse(new TextDecoder().decode(answer.body));
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Says what is wrong, with each part of the request; never what was sent. */
function says(status: number, problem: Body): string {
  const code = problem.code ?? problem.error;
  if (!code) return `${status} without a problem document: is this Aviso's address?`;
  const parts = (problem.errors ?? []).map((part) => {
    const where = part.pointer ?? part.parameter ?? part.header ?? part.fieldKey ?? "";
    return ` (${`${where} ${part.detail}`.trim()})`;
  });
  return `${status} ${code}: ${problem.detail ?? problem.error_description ?? problem.title ?? ""}${parts.join("")}`;
}

/** Reads Retry-After, which is a number of seconds or a date. */
function secondsUntil(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
