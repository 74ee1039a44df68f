import type { Caller, Logger } from '@lectern/service-kit';
import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import { personKey } from '#identity/person-key';
import type { StoredKey } from '#keys/key-store';
import { hasLostRights } from '#keys/lost-access';
import { backgroundCallFor } from '#pipeline/background-call';
import type { KeyedCall } from '#pipeline/operation';

/** How often the rights of a person are read again while a reply is written. */
const CHECK_MS = 2_000;

/** The person of a question lost the account, a role, a group or the address, or the app ended. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

interface Asking {
  readonly app: SlackApp;
  readonly key: StoredKey;
  /** True if others read the reply: then only public documents count, without the person's groups. */
  readonly isPublic: boolean;
}

/**
 * Returns the caller of a question. In a channel it has an identity of its own, so that memories that an
 * agent proposed from the person's other conversations stay out of the reply.
 */
function callerOf({ app, key, isPublic }: Asking): Caller {
  const { teamId, scope, person, pairId } = key;
  const userEmail = person?.email;
  return isPublic
    ? { teamId, scope, keyId: app.id, userEmail, publicOnly: true }
    : { teamId, scope, keyId: pairId, userEmail, groups: person?.groups ?? [] };
}

/** Creates a call on behalf of a person. */
export const personCall = (asking: Asking, signal: AbortSignal, log: Logger): KeyedCall =>
  backgroundCallFor({ key: asking.key, caller: callerOf(asking), origin: 'slack', usage: 'chat' }, signal, log);

/** Throws `AccessLost` if the person or the app may no longer get the reply. */
export async function requireAccess({ db }: Context, { app, key }: Asking): Promise<void> {
  const [now, installed] = await Promise.all([
    personKey(db, key.pairId),
    db.slackApp.findUnique({ where: { id: app.id } }),
  ]);
  if (now === undefined || hasLostRights(key.person, now.person)) throw new AccessLost('The person lost access.');
  const isActive = installed?.isEnabled === true && installed.status === 'active';
  if (!isActive) throw new AccessLost('The app is not active.');
}

/** Watches the access of a person while a reply is written. */
export function watchAccess(ctx: Context, asking: Asking): { readonly signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await requireAccess(ctx, asking);
    } catch (error) {
      // While the database is unavailable, the lease of the event ends the work.
      if (error instanceof AccessLost) ending.abort(error);
    } finally {
      isChecking = false;
    }
  }, CHECK_MS);
  return { signal: ending.signal, stop: () => clearInterval(timer) };
}
