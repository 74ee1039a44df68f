import type { ConnectorType, Settings } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { toJson } from '../jobs/json-ref.ts';
import { type ConnectorRow, WITH_SECRET } from './to-message.ts';

/** What a connector is made of; all of it is checked. */
export interface NewConnector {
  readonly id: string;
  readonly teamId: string;
  readonly collectionId: string;
  readonly name: string;
  readonly type: ConnectorType;
  readonly config: Settings;
  readonly credentials: Settings;
}

/** Makes a connector, with its credentials sealed. One that its user authorises in a browser waits for that. */
export function makeConnector(ctx: Context, { type, credentials, ...given }: NewConnector): Promise<ConnectorRow> {
  const waiting = {
    status: 'pending_auth' as const,
    statusReason: 'The connector waits for its authorisation (POST /api/v1/oauth/init).',
  };
  return ctx.db.$transaction(async (tx) => {
    const row = await tx.connector.create({
      data: {
        ...given,
        type: type.name,
        config: toJson(given.config),
        ...(type.oauth === undefined ? {} : waiting),
      },
    });
    await ctx.secrets.give(tx, row, credentials);
    return tx.connector.findUniqueOrThrow({ where: { id: row.id }, include: WITH_SECRET });
  });
}
