import { type Connector, ConnectorStatus } from '@lectern/contracts';
import { enumText } from '#http/enum-text';
import { time } from '#http/time';

/** A connector. Credentials are no part of the record that the service answers, so they cannot leak here. */
export function connectorRecord(connector: Connector) {
  return {
    id: connector.id,
    name: connector.name,
    type: connector.type,
    status: enumText(ConnectorStatus, connector.status),
    statusReason: connector.statusReason ?? null,
    collection: connector.collectionId,
    config: connector.config ?? {},
    lastSync: time(connector.lastSync),
    createdAt: time(connector.createdAt),
    updatedAt: time(connector.updatedAt),
  };
}
