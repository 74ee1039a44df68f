import { codeOfBareGrpcStatus, ErrorInfo, grpcStatusOfCode, isErrorCode } from '@lectern/contracts';
import { ClientError, type Metadata, ServerError } from 'nice-grpc-common';
import { AppError } from '#errors/app-error';

const TRAILER = 'lectern-error-bin';

/**
 * The trailer with the milliseconds until a call can be retried (gRFC A6). A negative number
 * forbids retries.
 */
export const PUSHBACK_KEY = 'grpc-retry-pushback-ms';

const MESSAGES_OF_BARE_STATUS = {
  unavailable: 'Part of the service cannot be reached. Try again shortly.',
  timeout: 'The request took too long. Try again.',
  cancelled: 'The request was cancelled.',
} as const;

/** Returns true if the error came from another service: that call was already retried. */
function isForwarded(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  return error instanceof ClientError || isForwarded(error.cause, depth + 1);
}

/**
 * HTTP/2 resets a stream whose trailers exceed 64 KiB, and the caller would only see the reset. A
 * message can need nine bytes per character.
 */
const MAX_DETAIL_BYTES = 24 * 1024;
const MAX_MESSAGE = 2_000;

function encodeInfo({ code, details }: AppError): Uint8Array {
  const whole = ErrorInfo.encode({ code, details }).finish();
  if (whole.length <= MAX_DETAIL_BYTES) return whole;
  const issues: readonly unknown[] = Array.isArray(details?.issues) ? details.issues : [];
  for (let count = issues.length >> 1; count > 0; count >>= 1) {
    const part = ErrorInfo.encode({ code, details: { ...details, issues: issues.slice(0, count) } }).finish();
    if (part.length <= MAX_DETAIL_BYTES) return part;
  }
  return ErrorInfo.encode({ code, details: undefined }).finish();
}

/** Converts an error to a gRPC status and message, with code and details in the trailer. */
export function toServerError(error: AppError, trailer: Metadata): ServerError {
  if (isForwarded(error)) trailer.set(PUSHBACK_KEY, '-1');
  trailer.set(TRAILER, encodeInfo(error));
  return new ServerError(grpcStatusOfCode[error.code], error.message.slice(0, MAX_MESSAGE).toWellFormed());
}

/** Converts a gRPC error back. The inverse of `toServerError`. */
export function fromClientError(error: ClientError, trailer: Metadata | undefined): AppError {
  const bytes = trailer?.get(TRAILER);
  const info = bytes === undefined ? undefined : ErrorInfo.decode(bytes);
  if (info !== undefined && isErrorCode(info.code)) {
    return new AppError(info.code, error.details, {
      cause: error,
      ...(info.details === undefined ? {} : { details: info.details }),
    });
  }
  const code = codeOfBareGrpcStatus[error.code] ?? 'internal_error';
  const message = Object.hasOwn(MESSAGES_OF_BARE_STATUS, code)
    ? MESSAGES_OF_BARE_STATUS[code as keyof typeof MESSAGES_OF_BARE_STATUS]
    : 'An internal error occurred. Search the server log for the request id.';
  return new AppError(code, message, { cause: error });
}
