import type { ConnectionReport, TestConnectorRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { beingDeleted, findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { testConnection } from '#sources/test-connection';

export const testConnector =
  (ctx: Context) =>
  async (request: TestConnectorRequest, call: ServiceCall): Promise<ConnectionReport> => {
    const { id, status } = await findConnector(ctx, call.caller, request.id);
    if (status === 'deleting') throw beingDeleted();
    const { CONNECTION_TEST_TIMEOUT_MS: timeoutMs } = ctx.config;
    const { signal, log } = call;
    return testConnection((work) => ctx.sources.use(id, work), { signal, log, timeoutMs });
  };
