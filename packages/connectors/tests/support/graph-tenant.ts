import { type GraphServer, type GraphServerOptions, startGraphServer } from '@lectern/testing';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import type { SourceEvent } from '#source';
import { openType } from './open-type.ts';
import { createTestHost, type TestHost } from './test-host.ts';

const stops: (() => Promise<void>)[] = [];

/** Stops all tenants of a test. */
export async function stopTenants(): Promise<void> {
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

/** The site in the names of groups. */
export const siteOf = ({ origin, tenantId }: GraphServer) => `${new URL(origin).host}/${tenantId}`;

export const failuresOf = (events: readonly SourceEvent[]) =>
  events.flatMap((event) => (event.type === 'failed' ? [{ id: event.id, message: event.error.message }] : []));

/** Starts an emulated tenant. */
export async function startTenant(options: GraphServerOptions = {}) {
  const server = await startGraphServer(options);
  const hosts: TestHost[] = [];
  stops.push(async () => {
    await server.stop();
    await Promise.all(hosts.map((host) => host.close()));
  });
  const { model, tenantId, clientId, clientSecret } = server;
  const open = (config: Record<string, unknown>, maxItemBytes?: number) => {
    const allow = new URL(server.origin).host;
    const host = createTestHost(maxItemBytes === undefined ? { allow } : { allow, maxItemBytes });
    hosts.push(host);
    const settings = { endpoint: server.origin, ...config };
    return openType(microsoft365Type, settings, { tenantId, clientId, clientSecret }, host);
  };
  return { server, model, open };
}
