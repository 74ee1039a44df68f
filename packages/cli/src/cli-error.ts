import { EXIT } from '#exit-code';

export interface CliErrorOptions {
  /** 1 unless another is given. */
  readonly exitCode?: number;
  /** The API's error code, or one of our own in its form. */
  readonly code?: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A failure that is told in words a person can act on. */
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

/** A command line that cannot be understood. */
export function usageError(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code: 'usage' });
}
