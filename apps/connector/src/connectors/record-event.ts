import type { EventData } from '@lectern/contracts';
import { newEvent, recordEvents } from '@lectern/events';
import type { Connector, Prisma } from '#gen/prisma/client';

/** The columns of a connector that its events need. */
export const EVENT_COLUMNS = { id: true, teamId: true, collectionId: true, name: true } as const;

type ConnectorEvent = 'sync.completed' | 'sync.failed' | 'connector.error';
type ConnectorFields = Omit<EventData['connector.error'], 'status'>;

/** Records an event of a connector, in the transaction that has locked its row. */
export async function recordConnectorEvent<T extends ConnectorEvent>(
  tx: Prisma.TransactionClient,
  { id, teamId, collectionId, name }: Pick<Connector, keyof typeof EVENT_COLUMNS>,
  type: T,
  dataOf: (connector: ConnectorFields) => EventData[T],
): Promise<void> {
  const data = dataOf({ connectorId: id, connectorName: name, collectionId });
  await recordEvents(tx, [newEvent({ type, teamId, resource: id, collectionIds: [collectionId], data })]);
}
