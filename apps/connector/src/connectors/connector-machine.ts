import type { ConnectorStatus, Prisma } from '#gen/prisma/client';
import { defineMachine } from '../state/machine.ts';

/** The life of a connector. One that waits for its user becomes active by `authorizeConnector`, never because a job of it ends. */
export const connectorMachine = defineMachine<ConnectorStatus>({
  pending_auth: ['error', 'deleting'],
  active: ['pending_auth', 'syncing', 'paused', 'error', 'deleting'],
  syncing: ['pending_auth', 'active', 'error', 'deleting'],
  paused: ['active', 'error', 'deleting'],
  error: ['active', 'syncing', 'pending_auth', 'paused', 'deleting'],
  deleting: [],
});

/** Makes a move if it is legal from the state that the row is in; false where it is not. */
export async function moveConnector(
  tx: Prisma.TransactionClient,
  id: string,
  to: ConnectorStatus,
  data: Prisma.ConnectorUpdateManyMutationInput = {},
): Promise<boolean> {
  const { count } = await tx.connector.updateMany({
    where: { id, status: { in: connectorMachine.before(to) } },
    data: { statusReason: null, ...data, status: to },
  });
  return count === 1;
}

/** Its user has authorised a connector: what waited for that, or failed without it, is active. */
export async function authorizeConnector(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.connector.updateMany({
    where: { id, status: { in: ['pending_auth', 'error'] } },
    data: { status: 'active', statusReason: null },
  });
}
