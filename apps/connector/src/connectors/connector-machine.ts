import type { ConnectorStatus, Prisma } from '#gen/prisma/client';
import { defineMachine } from '../state/machine.ts';

/** The life of a connector. */
export const connectorMachine = defineMachine<ConnectorStatus>({
  pending_auth: ['active', 'error', 'deleting'],
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
