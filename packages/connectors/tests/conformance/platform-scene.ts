import type { PlatformServer } from '@lectern/testing';
import type { TokenSource } from '#oauth/oauth-provider';
import { SourceError } from '#source-error';
import type { Scene } from './subject.ts';

/** `Scene.rewrite` for a platform emulator. */
export const rewriting =
  (server: PlatformServer): NonNullable<Scene['rewrite']> =>
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

/** Returns the parts of a scene that are the same for every platform emulator. */
export function platformScene(
  server: PlatformServer,
): Required<Pick<Scene, 'fail' | 'before' | 'requests' | 'rewrite'>> {
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
