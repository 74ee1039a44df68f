import type { Schemas } from './types.ts';

/** The codes that the API fails with. */
export type ErrorCode = Schemas['ErrorAnswer']['error']['code'];

interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failure that the API answered. */
export class LecternError extends Error {
  override readonly name: string = 'LecternError';
  readonly code: ErrorCode;
  /** The HTTP status; 200 where a stream failed on its way. */
  readonly status: number;
  /** To be named in questions to whoever runs Lectern. */
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which a new try is let in, where the API says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status, requestId, details = {}, retryAfterSeconds }: ErrorFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** What is wrong with the request, field by field, where the code is `invalid_request`. */
  get issues(): readonly Schemas['Issue'][] {
    const { issues } = this.details;
    return Array.isArray(issues) ? issues : [];
  }
}

/** No answer came, or none that is Lectern's: the network, a proxy, a deadline. `cause` has what is known. */
export class LecternConnectionError extends Error {
  override readonly name: string = 'LecternConnectionError';
  /** True where the time was up. */
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isTimeout?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout ?? false;
  }
}

/** An answer that is not Lectern's: a proxy's page, or nothing. */
export const notLecterns = ({ status }: Response, cause: unknown): LecternConnectionError =>
  new LecternConnectionError(`The answer (${status}) is not one of Lectern's.`, { cause });

const wholeSeconds = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** The failure that an answer tells of. */
export async function errorOf(response: Response): Promise<LecternError | LecternConnectionError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    const { code, message, details } = error;
    if (typeof code !== 'string' || typeof message !== 'string') throw new TypeError('not an error of the API');
    const retryAfterSeconds = wholeSeconds(response.headers.get('retry-after'));
    const facts = { message, status: response.status, requestId, details, retryAfterSeconds };
    return new LecternError({ ...facts, code: error.code });
  } catch (cause) {
    return notLecterns(response, cause);
  }
}
