import type { ConnectorCall } from '#connector';
import type { TokenSource } from '#oauth/oauth-provider';

/**
 * Authorization headers for `SourceHttp` from a user's tokens. The token is cached for each
 * call object, so that only the first of several rejected requests renews it: pass each request its
 * own call object (`{ ...call }`).
 */
export function authorizeByToken(
  tokens: TokenSource,
): (call: ConnectorCall, rejected: boolean) => Promise<Readonly<Record<string, string>>> {
  const used = new WeakMap<ConnectorCall, string>();
  return async (call, rejected) => {
    const before = used.get(call);
    const token =
      rejected && before !== undefined ? await tokens.renew(before, call.signal) : await tokens.access(call.signal);
    used.set(call, token);
    return { authorization: `Bearer ${token}` };
  };
}
