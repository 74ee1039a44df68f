import { APP_SCOPES, type AppScope } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import type { AppUrls } from '#identity/app-urls';

/** The app was not given a scope that a message needs. */
export class MissingScope extends AppError {
  /** The scopes to ask for: those that the app has, and the missing one. */
  readonly scopes: readonly AppScope[];

  constructor(needed: AppScope, granted: readonly string[]) {
    super('forbidden', `This app was not given the scope "${needed}". Connect it again with this scope.`);
    // Many apps ask for exactly these scopes, and would lose the others.
    this.scopes = APP_SCOPES.filter((scope) => scope === needed || granted.includes(scope));
  }
}

/**
 * Returns the header `WWW-Authenticate` of an error (RFC 6750 and 9728), with which an app finds out where
 * its person can give it access. Returns undefined for errors that access does not solve.
 */
export function challengeOf(error: AppError, status: number, urls: AppUrls | undefined): string | undefined {
  const isMissing = error instanceof MissingScope;
  if (status !== 401 && !isMissing) return undefined;
  const scopes = isMissing ? error.scopes : APP_SCOPES;
  const params: [string, string][] = [['realm', 'Lectern']];
  if (isMissing) params.push(['error', 'insufficient_scope']);
  // A request without a credential has no error code (RFC 6750, 3.1).
  else if (error.code !== 'unauthorized') params.push(['error', 'invalid_token']);
  if (urls !== undefined) params.push(['scope', scopes.join(' ')], ['resource_metadata', urls.resourceMetadata]);
  return `Bearer ${params.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}
