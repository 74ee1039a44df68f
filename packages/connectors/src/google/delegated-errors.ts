import { SourceError } from '#source-error';

type ReadError = (response: { status: number; headers: Headers; body: unknown }) => SourceError | undefined;

/** A service rejects a token that was issued just now. */
class RejectedToken extends SourceError {}

/**
 * Limits the rejection of a user's token to this user. `errorOf` still reports it as `auth`, so that
 * the token is renewed once; `translate` changes the error that the request ends with.
 */
export function delegatedErrors(service: string, readError: ReadError) {
  return {
    errorOf: ((response) => {
      const error = readError(response);
      if (error?.kind !== 'auth') return error;
      return new RejectedToken('auth', `${service} rejects the access token of the service account.`);
    }) satisfies ReadError,
    translate: (error: unknown): unknown =>
      error instanceof RejectedToken
        ? new SourceError('forbidden', `${service} rejects requests as this user. ${service} may be off for the user.`)
        : error,
  };
}
