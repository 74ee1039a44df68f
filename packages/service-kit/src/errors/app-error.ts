import type { ErrorCode } from './codes.ts';

/** One thing wrong with a request: where it is, as text (`filters.author`, `tools[2]`), and what is wrong. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  /** Facts for the caller; shown outside as they are, so never a secret or an inner address. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The one error that crosses a boundary between Lectern's parts. It knows nothing of transport. Its message is shown to the
 * caller and must tell what to do; `cause` goes to the log only.
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

/** `not_found` for a resource (`collection`, `document`, …); the same for one that another team owns. */
export function notFound(resource: string, id: string): AppError {
  return new AppError('not_found', `No ${resource.replaceAll('_', ' ')} has the id ${id}.`, {
    details: { resource, id },
  });
}

/**
 * The maximum number of issues in one error. A request may have any number of faults, but its
 * response must stay small.
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

/** `forbidden` for a collection, or anything inside one, that the key does not reach. */
export function outOfScope(collectionId: string): AppError {
  return new AppError('forbidden', `This API key has no access to the collection ${collectionId}.`, {
    details: { collection: collectionId },
  });
}
