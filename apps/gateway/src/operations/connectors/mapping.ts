import { type ConnectionReport, type Connector, ConnectorStatus } from '@lectern/contracts';
import { enumText, time } from '#operations/convert';

/** A connector. The connector service never returns credentials. */
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

/** The result of a connection test. */
export function connectionReport({ success, latencyMs, checks, error }: ConnectionReport) {
  return {
    success,
    latencyMs,
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}
