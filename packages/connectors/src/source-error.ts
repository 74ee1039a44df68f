/** How a source can fail, and whether a retry can help. */
export const sourceErrorKinds = {
  /** The source rejects the credentials. */
  auth: { retry: false },
  /** The credentials are valid but have no access to this. */
  forbidden: { retry: false },
  /** The item no longer exists. */
  gone: { retry: false },
  /** Too many requests; retry after `retryAt`. */
  rate: { retry: true },
  /** A network error or a server error of the source. */
  transient: { retry: true },
  /** The request or the configuration is invalid. */
  invalid: { retry: false },
  /** Larger than the configured limit. */
  too_large: { retry: false },
} as const satisfies Record<string, { readonly retry: boolean }>;

export type SourceErrorKind = keyof typeof sourceErrorKinds;

interface SourceErrorOptions extends ErrorOptions {
  readonly retryAt?: Date;
  readonly mayRecover?: boolean;
}

/** A failure of a source with a message that a person can act on; the cause is for the log. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: SourceErrorKind;
  /** For `rate`: the earliest time to retry. */
  readonly retryAt: Date | undefined;
  /** True if the same item may succeed in a later sync, although a retry now does not help. */
  readonly mayRecover: boolean;

  constructor(kind: SourceErrorKind, message: string, options: SourceErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAt = options.retryAt;
    this.mayRecover = options.mayRecover ?? false;
  }

  /** Returns true if the same call can succeed later. */
  get retryable(): boolean {
    return sourceErrorKinds[this.kind].retry;
  }
}
