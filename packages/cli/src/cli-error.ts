import { EXIT } from '#exit-code';

export interface CliErrorOptions {
  /** Default: 1. */
  readonly exitCode?: number;
  /** The API's error code, or one of the CLI in the same style. */
  readonly code?: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A failure whose message is shown to the user. */
export class CliError extends Error {
  readonly exitCode: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(message: string, { exitCode = EXIT.failed, code = 'failed', requestId, cause }: CliErrorOptions = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.code = code;
    this.requestId = requestId;
  }
}

/** An invalid command line. */
export function usageError(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code: 'usage' });
}
