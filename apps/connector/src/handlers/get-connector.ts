import type { Connector, GetConnectorRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findConnector, toConnectorMessage } from '#connectors/connector';
import type { Context } from '#context';

export const getConnector =
  (ctx: Context) =>
  async ({ id }: GetConnectorRequest, { caller }: ServiceCall): Promise<Connector> =>
    toConnectorMessage(await findConnector(ctx, caller, id), caller);
