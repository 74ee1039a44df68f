import { Status } from 'nice-grpc-common';

/**
 * Every error code there is, with the gRPC status that carries it between services. The code itself travels beside the status
 * (see `error-info.ts`), so codes that share a status stay apart.
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

/** The closed set of error codes; the contract's and those of `docs/architecture.md`. */
export type ErrorCode = keyof typeof grpcStatusOfCode;

/** True for a text that is one of the error codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(grpcStatusOfCode, code);
}

/**
 * What a status means that gRPC itself raised, with no code of ours beside it. Anything not listed is a fault of ours:
 * `internal_error`.
 */
export const codeOfBareGrpcStatus: Partial<Record<Status, ErrorCode>> = {
  [Status.UNAVAILABLE]: 'unavailable',
  [Status.DEADLINE_EXCEEDED]: 'timeout',
  [Status.CANCELLED]: 'cancelled',
};
