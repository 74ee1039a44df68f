import type { ErrorCode } from '@lectern/contracts';

/** A problem of a request: the path (`filters.author`, `tools[2]`) and a message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  /** Data for the caller. Must not contain a secret or an internal address. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The error at all boundaries between Lectern's parts, independent of transport. Its message is for
 * the caller and states what to do. `cause` is logged but never sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
  }
}

/**
 * Creates `not_found` for a resource (`collection`, `document`, …), also if another team owns it.
 */
export function notFound(resource: string, id: string): AppError {
  return new AppError('not_found', `No ${resource.replaceAll('_', ' ')} has the id ${id}.`, {
    details: { resource, id },
  });
}

/**
 * The maximum number of issues in one error, so that responses stay small.
 */
export const MAX_ISSUES = 20;

const MAX_PATH = 200;
const MAX_MESSAGE = 500;
const MAX_TEXT = 2_000;

/** Removes half a surrogate pair at the end, so that every encoding can represent the text. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/**
 * Creates `invalid_request` with the invalid fields: the first 20, each with a path and a message
 * of limited length.
 */
export function invalidRequest(found: readonly Issue[]): AppError {
  const issues = found
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: cut(path, MAX_PATH), message: cut(message, MAX_MESSAGE) }));
  const text = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new AppError('invalid_request', cut(text, MAX_TEXT), { details: { issues } });
}

/** Creates `forbidden` for a collection outside the key's scope, or a resource in it. */
export function outOfScope(collectionId: string): AppError {
  return new AppError('forbidden', `This API key has no access to the collection ${collectionId}.`, {
    details: { collection: collectionId },
  });
}
