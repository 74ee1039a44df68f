import { SourceError } from '../source-error.ts';
import { retryTime } from './retry-after.ts';

const OVERLOADED: ReadonlySet<number> = new Set([503, 529]);
const AGAIN_LATER: ReadonlySet<number> = new Set([408, 425]);

/** What a status means by HTTP alone; undefined for success. `what` is how the message calls the thing that was asked for. */
export function statusError(
  platform: string,
  answer: { readonly status: number; readonly headers: Headers },
  what: string,
): SourceError | undefined {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status === 401) {
    return new SourceError('auth', `${platform} does not accept the credentials. Give the connector new ones.`);
  }
  if (status === 403) {
    const advice = 'Give the account of its credentials access there, or give the connector others.';
    return new SourceError('forbidden', `${platform} does not let the connector read ${what}. ${advice}`);
  }
  if (status === 404 || status === 410) {
    return new SourceError('gone', `${platform} does not have ${what} (any more), or does not show it.`);
  }
  if (status === 429 || (OVERLOADED.has(status) && headers.has('retry-after'))) {
    return new SourceError('rate', `${platform} asks for fewer requests.`, { retryAt: retryTime(headers) });
  }
  if (status >= 500 || AGAIN_LATER.has(status)) {
    return new SourceError('transient', `${platform} has a fault of its own at the moment (status ${status}).`);
  }
  return new SourceError('invalid', `${platform} refused the request for ${what} (status ${status}).`);
}
