/** A failure to start, stop or use a local engine. The message is shown to the user. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** The last lines of its output, oldest first; empty if it never ran. */
  readonly log: readonly string[];

  constructor(message: string, options: { readonly cause?: unknown; readonly log?: readonly string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.log = options.log ?? [];
  }
}
