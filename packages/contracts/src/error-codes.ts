import { Status } from 'nice-grpc-common';

/**
 * All error codes with their gRPC statuses. The trailer contains the code itself, so codes can
 * share a status.
 */
export const grpcStatusOfCode = {
  invalid_request: Status.INVALID_ARGUMENT,
  unauthorized: Status.UNAUTHENTICATED,
  invalid_key: Status.UNAUTHENTICATED,
  key_expired: Status.UNAUTHENTICATED,
  invalid_signature: Status.UNAUTHENTICATED,
  forbidden: Status.PERMISSION_DENIED,
  not_found: Status.NOT_FOUND,
  method_not_allowed: Status.UNIMPLEMENTED,
  conflict: Status.ALREADY_EXISTS,
  precondition_failed: Status.ABORTED,
  payload_too_large: Status.OUT_OF_RANGE,
  unsupported_media_type: Status.FAILED_PRECONDITION,
  rate_limited: Status.RESOURCE_EXHAUSTED,
  cancelled: Status.CANCELLED,
  internal_error: Status.INTERNAL,
  upstream_error: Status.DATA_LOSS,
  unavailable: Status.UNAVAILABLE,
  timeout: Status.DEADLINE_EXCEEDED,
} as const satisfies Record<string, Status>;

/** The error codes of the API and of `docs/architecture.md`. */
export type ErrorCode = keyof typeof grpcStatusOfCode;

/** Returns true if the text is an error code. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(grpcStatusOfCode, code);
}

/** The codes of statuses that gRPC itself raised. Other statuses mean `internal_error`. */
export const codeOfBareGrpcStatus: Partial<Record<Status, ErrorCode>> = {
  [Status.UNAVAILABLE]: 'unavailable',
  [Status.DEADLINE_EXCEEDED]: 'timeout',
  [Status.CANCELLED]: 'cancelled',
};
