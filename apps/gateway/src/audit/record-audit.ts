import { newId } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import type { KeyedCall } from '#pipeline/operation';

/** A management action. */
export interface Action {
  /** The operation, for example `createCollection`. */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | undefined;
  /** Facts without secrets. */
  readonly details?: Prisma.InputJsonObject;
}

/** Who executed an action, and from where. */
export interface Actor {
  readonly teamId: string;
  /** Undefined for a signed-in person and for an operator at the command line. */
  readonly keyId: string | undefined;
  readonly userEmail?: string | undefined;
  readonly origin: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Returns the actor of a call: a key pair, or a signed-in person. */
export function actorOf({ caller, key, client, requestId }: KeyedCall): Actor {
  const { teamId, userEmail } = caller;
  const keyId = key.person === undefined && key.app === undefined ? key.pairId : undefined;
  return { teamId, keyId, userEmail, origin: client.address, userAgent: client.userAgent, requestId };
}

/** Records an action in the audit log. Pass the transaction of the action, if there is one. */
export async function recordAudit(db: Prisma.TransactionClient, actor: Actor, action: Action): Promise<void> {
  const { keyId, userEmail, userAgent, requestId } = actor;
  await db.auditEvent.create({
    data: {
      id: newId('audit'),
      teamId: actor.teamId,
      keyId: keyId ?? null,
      userEmail: userEmail ?? null,
      origin: actor.origin,
      userAgent: userAgent ?? null,
      requestId: requestId ?? null,
      action: action.action,
      resourceType: action.resourceType,
      resourceId: action.resourceId ?? null,
      details: action.details ?? {},
    },
  });
}
