import { EgressError } from '@lectern/egress';
import { SourceError } from '#source-error';

const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be resolved',
  EAI_AGAIN: 'its name could not be resolved temporarily',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'its network is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response was interrupted',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'the request was interrupted',
};

/** Yields an error and its causes, including the errors in an AggregateError. */
function* causesOf(error: unknown): Generator<unknown> {
  let current = error;
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth += 1) {
    yield current;
    if (current instanceof AggregateError) yield* current.errors;
    current = typeof current === 'object' && 'cause' in current ? current.cause : undefined;
  }
}

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/**
 * Translates a failed connection or transfer: a nested `SourceError` is returned unchanged, a
 * blocked connection or an invalid certificate becomes `invalid`, all else `transient`. The message
 * contains `platform` or the guard's reason, but no resolved address.
 */
export function networkError(platform: string, error: unknown): SourceError {
  const causes = [...causesOf(error)];
  const sourceError = causes.find((cause) => cause instanceof SourceError);
  if (sourceError !== undefined) return sourceError;
  const blocked = causes.find((cause) => cause instanceof EgressError);
  if (blocked !== undefined) return new SourceError('invalid', blocked.message, { cause: error });
  const codes = causes.map(codeOf).filter((code) => code !== undefined);
  if (codes.some((code) => CERTIFICATE.test(code))) {
    return new SourceError('invalid', `${platform} does not have a valid TLS certificate.`, {
      cause: error,
      mayRecover: true,
    });
  }
  const reason = codes.map((code) => REASONS[code]).find((text) => text !== undefined) ?? 'the connection failed';
  return new SourceError('transient', `${platform} could not be reached: ${reason}.`, { cause: error });
}
