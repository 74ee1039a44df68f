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
        ((answer) => {
          number += 1;
          if (typeof answer.body !== 'string' || answer.status !== 200) return answer;
          return { ...answer, body: change(answer.body, number) };
        }),
    );
  };

/** The parts of a scene that any stand-in for a platform plays alike. */
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

/** Tokens of a user who took the authorisation back. */
export const revokedTokens: TokenSource = {
  access: async () => 'a-token-that-was-revoked',
  renew: async () => {
    throw new SourceError('auth', 'The user took the authorisation back.');
  },
};
