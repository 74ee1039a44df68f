import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import type { ConnectorType } from '#settings/connector-type';

/** Opens a connector like the service: with checked settings that were stored as JSON. */
export function openType(type: ConnectorType, config: unknown, credentials: unknown, host: ConnectorHost): Connector {
  const stored = JSON.parse(
    JSON.stringify({ config: type.checkConfig(config), credentials: type.checkCredentials(credentials) }),
  );
  return type.open({ config: stored.config, credentials: stored.credentials, host });
}
