/** A local engine or process could not be brought up or down; the message says what a person can do about it. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** The last lines the process printed, oldest first; empty when it never ran. */
  readonly log: readonly string[];

  constructor(message: string, options: { readonly cause?: unknown; readonly log?: readonly string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.log = options.log ?? [];
  }
}
