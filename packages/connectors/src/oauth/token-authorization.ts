import type { ConnectorCall } from '../connector.ts';
import type { TokenSource } from './oauth-provider.ts';

/**
 * Headers for `SourceHttp` from the tokens of a user. The token that a call used is remembered with the call, so that of several requests
 * whose token was rejected only the first asks for a new one: hand each request a call object of its own (`{ ...call }`).
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
