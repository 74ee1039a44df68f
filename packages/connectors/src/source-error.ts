/** How a source can fail, and whether trying again can help. */
export const sourceErrorKinds = {
  /** The credentials are not (or no longer) accepted. */
  auth: { retry: false },
  /** The credentials are fine but do not reach this. */
  forbidden: { retry: false },
  /** The item does not exist any more. */
  gone: { retry: false },
  /** Too many requests; `retryAt` says when to go on. */
  rate: { retry: true },
  /** The network, or a fault on the source's side. */
  transient: { retry: true },
  /** What was asked or configured makes no sense to the source. */
  invalid: { retry: false },
  /** Larger than what Lectern reads. */
  too_large: { retry: false },
} as const satisfies Record<string, { readonly retry: boolean }>;

export type SourceErrorKind = keyof typeof sourceErrorKinds;

/** A failure of a source, in words that a person can act on; the cause goes to the log. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: SourceErrorKind;
  /** For `rate`: not before this time. */
  readonly retryAt: Date | undefined;

  constructor(kind: SourceErrorKind, message: string, options: ErrorOptions & { readonly retryAt?: Date } = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAt = options.retryAt;
  }

  /** True where the same call may succeed later. */
  get retryable(): boolean {
    return sourceErrorKinds[this.kind].retry;
  }
}
