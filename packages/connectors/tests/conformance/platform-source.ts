import type { PlatformServer } from '@lectern/testing';
import type { TokenSource } from '#oauth/oauth-provider';
import { SourceError } from '#source-error';
import type { TestSource } from './test-source.ts';

/** `TestSource.rewrite` for a platform emulator. */
export const rewriting =
  (server: PlatformServer): NonNullable<TestSource['rewrite']> =>
  (change) => {
    let number = 0;
    server.rewrite(
      change &&
        ((response) => {
          number += 1;
          if (typeof response.body !== 'string' || response.status !== 200) return response;
          return { ...response, body: change(response.body, number) };
        }),
    );
  };

/** Returns the parts of a test source that are the same for every platform emulator. */
export function platformSource(
  server: PlatformServer,
): Required<Pick<TestSource, 'fail' | 'before' | 'requests' | 'rewrite'>> {
  return {
    fail: (plan) =>
      server.fail(
        plan &&
          ((_request, number) => {
            const fault = plan(number);
            return fault?.kind === 'cut' ? { kind: 'truncated' } : fault;
          }),
      ),
    before: (listener) => {
      let number = 0;
      server.before(
        listener &&
          (() => {
            number += 1;
            listener(number);
          }),
      );
    },
    requests: () => server.requests.length,
    rewrite: rewriting(server),
  };
}

/** Tokens of a user who revoked the authorization. */
export const revokedTokens: TokenSource = {
  access: async () => 'a-token-that-was-revoked',
  renew: async () => {
    throw new SourceError('auth', 'The user revoked the authorization.');
  },
};
