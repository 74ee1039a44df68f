export type { Client } from './client.ts';
export {
  CustomSource,
  type PushSummary,
  type ReplaceOptions,
  type ReplaceSummary,
  type SourceChange,
} from './custom-source.ts';
export {
  AuthenticationError,
  ConflictError,
  type ErrorCode,
  ForbiddenError,
  InvalidRequestError,
  LecternConnectionError,
  LecternError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from './errors.ts';
export type * from './gen/names.ts';
export { Lectern } from './lectern.ts';
export { type Page, Paged } from './paged.ts';
export type { UploadProgress } from './put-with-progress.ts';
export { signatureHeaders } from './sign.ts';
export { type FinalReply, type FinalRun, ReplyStream, RunStream } from './streams.ts';
export type { LecternOptions } from './transport.ts';
export type * from './types.ts';
export type { UploadFile, UploadOptions } from './upload.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
