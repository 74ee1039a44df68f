import { type Engine, ensureNatsServer, startNats, startPostgres, startQdrantLocal } from '@lectern/local-engines';
import type { Config } from '#config';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';
import type { Parts } from '#parts';
import { requireDatabase } from '#require-database';
import { requireReachable } from '#require-reachable';
import type { Secrets } from '#secrets';
import { serviceSetting, settingOf } from '#service-setting';
import { type EngineName, SERVICES, type ServiceName } from '#services';
import type { StateFile } from '#state-file';

/** Engines stop after all services. */
const STOP_ROUND = 4;

/** The address of an engine for each service, with that service's user and password. */
type EngineAddress = (service: ServiceName) => string;

/** The addresses of the engines. Each promise settles when its engine accepts connections. */
export type EngineAddresses = Readonly<Record<EngineName, Promise<EngineAddress>>>;

/** Starts PostgreSQL, NATS and the vector store in parallel, except external ones. */
export function startEngines(
  config: Config,
  home: Home,
  parts: Parts,
  state: StateFile,
  secrets: Secrets,
  signal: AbortSignal,
): EngineAddresses {
  return {
    postgres: external(config, 'DATABASE_URL', 'postgres', requireDatabase) ?? postgres(home, parts, state, secrets),
    nats: external(config, 'NATS_URL', 'nats') ?? nats(config, home, parts, state, secrets, signal),
    qdrant: external(config, 'QDRANT_URL', 'qdrant') ?? qdrant(config, home, parts, state),
  };
}

/**
 * Returns the addresses of an external server: one for all services, or one for each. Undefined if no
 * address is set.
 */
function external(
  config: Config,
  setting: 'DATABASE_URL' | 'NATS_URL' | 'QDRANT_URL',
  engine: EngineName,
  check: (url: string, setting: string) => Promise<void> = async () => undefined,
): Promise<EngineAddress> | undefined {
  const services = SERVICES.filter(({ needs }) => needs.includes(engine)).map(({ name }) => name);
  const urlOf = (service: ServiceName) => serviceSetting(config.env, setting, service) ?? config[setting];
  return services.some(urlOf) ? checked() : undefined;

  async function checked(): Promise<EngineAddress> {
    const checkedUrls = new Set<string>();
    for (const service of services) {
      const url = urlOf(service);
      const serviceName = settingOf(setting, service);
      if (url === undefined)
        throw new LauncherError(
          `${serviceName} is not set, but the same setting of another service is. Set ${serviceName}, or set ${setting} for all services.`,
        );
      if (checkedUrls.has(url)) continue;
      checkedUrls.add(url);
      const source = url === config[setting] ? setting : serviceName;
      await requireReachable(source, url);
      await check(url, source);
    }
    return (service) => urlOf(service) ?? '';
  }
}

/** Returns the port before a crash, so that the restart keeps the address. Initially the default port. */
function portLike(previous: Engine | undefined, preferred: number) {
  return previous === undefined ? { port: preferred } : { port: previous.port, portIsFixed: true };
}

/** Starts PostgreSQL, and restarts it when it ends. */
async function postgres(home: Home, parts: Parts, state: StateFile, secrets: Secrets): Promise<EngineAddress> {
  const { url } = await parts.add({
    name: 'PostgreSQL',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startPostgres({ dataDir: home.postgres, logFile: home.log('postgres'), signal, ...portLike(previous, 5432) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await secrets.ensureRoles(url);
  await state.update({ databaseUrl: url });
  return (service) => secrets.databaseUrlOf(service, url);
}

async function nats(
  config: Config,
  home: Home,
  parts: Parts,
  state: StateFile,
  { natsUsers: users, natsUrlOf }: Secrets,
  signal: AbortSignal,
): Promise<EngineAddress> {
  const binary = await ensureNatsServer({ cacheDir: home.programs, env: config.env, signal });
  const { url } = await parts.add({
    name: 'nats-server',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startNats({ binary, storeDir: home.nats, users, logFile: home.log('nats'), signal, ...portLike(previous, 4222) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ natsUrl: url });
  return (service) => natsUrlOf(service, url);
}

async function qdrant(config: Config, home: Home, parts: Parts, state: StateFile): Promise<EngineAddress> {
  const { url } = await parts.add({
    name: 'qdrant-local',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startQdrantLocal({
        dataDir: home.qdrant,
        logFile: home.log('qdrant'),
        signal,
        ...(config.QDRANT_API_KEY ? { apiKey: config.QDRANT_API_KEY } : {}),
        ...portLike(previous, 6333),
      }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ qdrantUrl: url, ...(config.QDRANT_API_KEY ? { qdrantApiKey: config.QDRANT_API_KEY } : {}) });
  return () => url;
}
