import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import type { ConnectorType } from '#settings/connector-type';
import type { SourceEvent } from '#source';
import { collect, refsOf } from './read-source.ts';

/** A connector as the service opens it, with the settings checked and kept as JSON before. */
export function openType(type: ConnectorType, config: unknown, credentials: unknown, host: ConnectorHost): Connector {
  const kept = JSON.parse(
    JSON.stringify({ config: type.checkConfig(config), credentials: type.checkCredentials(credentials) }),
  );
  return type.open({ config: kept.config, credentials: kept.credentials, host });
}

export const idsOf = (events: readonly SourceEvent[]): string[] => refsOf(events).map(({ id }) => id);

/** The listing up to the error that ends it. */
export async function collectUntilError(events: AsyncIterable<SourceEvent>) {
  const reported: SourceEvent[] = [];
  try {
    for await (const event of events) reported.push(event);
  } catch (error) {
    return { reported, error };
  }
  return { reported, error: undefined };
}

export async function readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collect(body)).toString('utf8');
}
