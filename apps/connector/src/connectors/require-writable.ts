import { findConnectorType } from '@lectern/connectors';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import type { Context } from '../context.ts';

/** Throws `invalid_request` for a source that Lectern only reads, `conflict` for a connector that is being deleted. */
export function requireWritable(ctx: Context, connector: Connector): void {
  if (!findConnectorType(connector.type, ctx.types).acceptsFiles) {
    throw invalidRequest([
      { path: 'connector', message: `of type ${connector.type} is read-only; files come from its source` },
    ]);
  }
  if (connector.status === 'deleting') throw new AppError('conflict', 'The connector is being deleted.');
}
