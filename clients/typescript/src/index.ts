export { Aviso, type AvisoOptions } from "./client.js";
export type { PsuHeaders, UserView } from "./user.js";
export type { NewSecret, SearchPage } from "./partner.js";
export type { CallOptions } from "./session.js";
export type { List, Page } from "./list.js";
export { Decimal } from "./decimal.js";
export {
  AuthenticationError, AvisoError, ConflictError, ConnectionFailedError, NotFoundError, PermissionDeniedError, ProblemError,
  RateLimitedError, ServerError, ValidationError,
} from "./errors.js";
export * from "./webhooks.js";
export { version } from "./version.js";
export type * from "./core/types.js";
