import { type Connector, findConnectorType } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { createFileCatalogue } from '../files/file-catalogue.ts';

/** The source behind a connector's row. Throws `invalid_request` where its settings no longer fit its type. */
export function openSource(
  ctx: Context,
  connector: { readonly id: string; readonly type: string; readonly config: unknown },
): Connector {
  return findConnectorType(connector.type, ctx.types).open({
    config: connector.config,
    credentials: {},
    host: { blobs: ctx.blobs, files: createFileCatalogue(ctx.db, connector.id) },
  });
}
