import { LecternConnectionError, LecternError } from '@lectern/sdk';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';

const EXIT_CODES: Readonly<Record<string, number>> = {
  unauthorized: EXIT.denied,
  invalid_key: EXIT.denied,
  key_expired: EXIT.denied,
  invalid_signature: EXIT.denied,
  forbidden: EXIT.denied,
  rate_limited: EXIT.unavailable,
  upstream_error: EXIT.unavailable,
  unavailable: EXIT.unavailable,
  timeout: EXIT.unavailable,
};

function fromApi(error: LecternError): CliError {
  const issues = error.issues.map(({ path, message }) => `\n  ${oneLine(path)}: ${oneLine(message)}`);
  return new CliError(oneLine(error.message) + issues.join(''), {
    exitCode: EXIT_CODES[error.code] ?? EXIT.failed,
    code: error.code,
    requestId: error.requestId,
    cause: error,
  });
}

function fromConnection(error: LecternConnectionError): CliError {
  const { message, isTimeout, status } = error;
  // A response that is not from Lectern. Only a proxy error (429, 502 or higher) can be temporary.
  if (status !== undefined && status !== 429 && status < 502) return new CliError(message, { cause: error });
  return new CliError(message, {
    exitCode: EXIT.unavailable,
    code: isTimeout ? 'timeout' : 'unavailable',
    cause: error,
  });
}

/** Converts an error of the SDK to a message and an exit code. Returns other errors unchanged. */
export function toCliError(error: unknown): unknown {
  if (error instanceof LecternError) return fromApi(error);
  return error instanceof LecternConnectionError ? fromConnection(error) : error;
}
