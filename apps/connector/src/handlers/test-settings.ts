import { findConnectorType } from '@lectern/connectors';
import type { ConnectionReport, TestSettingsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { checkSettings } from '#connectors/settings';
import type { Context } from '#context';
import { testConnection } from '#sources/test-connection';

export const testSettings =
  (ctx: Context) =>
  async (request: TestSettingsRequest, call: ServiceCall): Promise<ConnectionReport> => {
    const type = findConnectorType(request.type, ctx.types);
    const settings = checkSettings(type, request);
    const { CONNECTION_TEST_TIMEOUT_MS: timeoutMs } = ctx.config;
    const { signal, log } = call;
    return testConnection((work) => ctx.sources.try({ type, ...settings }, work), { signal, log, timeoutMs });
  };
