import { EXIT } from '#exit-code';

export interface CliErrorOptions {
  /** Default: 1. */
  readonly exitCode?: number;
  /** An error code of the API, or one that only the CLI uses. */
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

/** Creates the error for an invalid command line. */
export function usageError(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code: 'usage' });
}
