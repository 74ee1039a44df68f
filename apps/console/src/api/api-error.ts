export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What the API refused, or what kept a request from reaching it. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the API said so. */
  readonly retryAfter: number | undefined;
  readonly issues: readonly Issue[];

  constructor(
    code: string,
    message: string,
    {
      status = 0,
      requestId,
      retryAfter,
      issues = [],
    }: {
      readonly status?: number;
      readonly requestId?: string | undefined;
      readonly retryAfter?: number | undefined;
      readonly issues?: readonly Issue[];
    } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.issues = issues;
  }

  /** True where the same request may succeed later. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** What the API answers a failed request with, as an error. */
export function toApiError(status: number, headers: Headers, body: unknown): ApiError {
  const { error, meta } = isRecord(body) ? body : {};
  const requestId = isRecord(meta) && typeof meta.requestId === 'string' ? meta.requestId : undefined;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const facts = { status, requestId, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) };
  if (!isRecord(error) || typeof error.code !== 'string' || typeof error.message !== 'string')
    return new ApiError('unexpected_answer', `The server answered with status ${status}.`, facts);
  return new ApiError(error.code, error.message, { ...facts, issues: issuesOf(error.details) });
}

function issuesOf(details: unknown): Issue[] {
  if (!isRecord(details) || !Array.isArray(details.issues)) return [];
  return details.issues.flatMap((issue: unknown) =>
    isRecord(issue) && typeof issue.path === 'string' && typeof issue.message === 'string'
      ? [{ path: issue.path, message: issue.message }]
      : [],
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
