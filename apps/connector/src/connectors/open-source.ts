import {
  type BlobStore,
  type Connector,
  type ConnectorHost,
  type ConnectorType,
  type EgressGuard,
  findConnectorType,
  publicAddresses,
  SourceError,
} from '@lectern/connectors';
import type { Logger } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { createFileCatalogue } from '../files/file-catalogue.ts';
import { createSourceCache } from './source-cache.ts';

/** The sources behind connectors. */
export interface Sources {
  /**
   * Does something with a connector's source, opened with its present settings; whatever it answers with must be read before `work`
   * ends. Throws `SourceError` (`gone`) where the connector is deleted, `invalid_request` where its settings no longer fit its type.
   */
  use<T>(connectorId: string, work: (source: Connector) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SourceDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly blobs: BlobStore;
  readonly egress: EgressGuard;
  readonly types: readonly ConnectorType[];
  /** Bytes of the largest item that is read. */
  readonly maxItemBytes: number;
}

/** Opens sources for this process: the only place that does. */
export function createSources({ db, log, blobs, egress, types, maxItemBytes }: SourceDependencies): Sources {
  const cache = createSourceCache(log);
  const hostOf = (connectorId: string): ConnectorHost => {
    const unauthorised = async () => {
      throw new SourceError('auth', 'The connector has not been authorised yet.');
    };
    return {
      blobs,
      egress,
      maxItemBytes,
      files: createFileCatalogue(db, connectorId),
      addresses: publicAddresses,
      tokens: { access: unauthorised, renew: unauthorised },
    };
  };
  return {
    use: async (id, work) => {
      const row = await db.connector.findUnique({ where: { id } });
      if (row === null) throw new SourceError('gone', 'The connector was deleted.');
      const type = findConnectorType(row.type, types);
      const version = JSON.stringify([row.type, row.config]);
      const open = () => type.open({ config: row.config, credentials: {}, host: hostOf(id) });
      return cache.use({ id, version, open }, work);
    },
    close: () => cache.close(),
  };
}
