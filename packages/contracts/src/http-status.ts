import { Status } from 'nice-grpc-common';
import { type ErrorCode, grpcStatusOfCode } from '#error-codes';

/**
 * HTTP statuses of gRPC statuses. Together with `grpcStatusOfCode` this defines every error's HTTP
 * status.
 */
const httpStatusOfGrpc: Record<Status, number> = {
  [Status.OK]: 200,
  [Status.INVALID_ARGUMENT]: 400,
  [Status.UNAUTHENTICATED]: 401,
  [Status.PERMISSION_DENIED]: 403,
  [Status.NOT_FOUND]: 404,
  [Status.UNIMPLEMENTED]: 405,
  [Status.ALREADY_EXISTS]: 409,
  [Status.ABORTED]: 412,
  [Status.OUT_OF_RANGE]: 413,
  [Status.FAILED_PRECONDITION]: 415,
  [Status.RESOURCE_EXHAUSTED]: 429,
  // The client has disconnected. 499 is nginx's status for this.
  [Status.CANCELLED]: 499,
  [Status.UNKNOWN]: 500,
  [Status.INTERNAL]: 500,
  [Status.DATA_LOSS]: 502,
  [Status.UNAVAILABLE]: 503,
  [Status.DEADLINE_EXCEEDED]: 504,
};

/** Returns the HTTP status of an error code. */
export function httpStatusOfCode(code: ErrorCode): number {
  return httpStatusOfGrpc[grpcStatusOfCode[code]];
}
