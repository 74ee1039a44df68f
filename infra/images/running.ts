import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ensureNatsServer,
  findFreePort,
  type ManagedProcess,
  removeWithData,
  runToEnd,
  startNats,
  startPostgres,
  startProcess,
  startQdrantLocal,
} from '@lectern/local-engines';
import { ROOT, SERVICES, type ServiceName } from '../tests/support/service-settings.ts';
import type { Image } from './build.ts';
import { composeService } from './compose-settings.ts';
import { commandInImage, type ImageCommand, type System } from './sandbox.ts';

const HEALTHY_TIMEOUT_MS = 180_000;
const CHECK_TIMEOUT_MS = 30_000;
const PORTS = {
  gateway: 8080,
  search: 50051,
  chat: 50052,
  agent: 50053,
  collection: 50054,
  connector: 50055,
} as const;

/** Starts PostgreSQL, NATS and a vector store. Returns their settings. */
export async function startEngines(cleanUp: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-images-engines-'));
  cleanUp.defer(() => removeWithData(folder));
  const binary = await ensureNatsServer({ cacheDir: join(ROOT, 'node_modules/.cache/lectern') });
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  cleanUp.defer(postgres.stop);
  const nats = await startNats({ binary, storeDir: join(folder, 'nats'), durable: false });
  cleanUp.defer(nats.stop);
  const qdrant = await startQdrantLocal({ dataDir: join(folder, 'qdrant') });
  cleanUp.defer(qdrant.stop);
  return { DATABASE_URL: postgres.url, NATS_URL: nats.url, QDRANT_URL: qdrant.url };
}

/** A running service in its image. */
export interface RunningImage {
  readonly port: number;
  readonly metricsPort: number;
  readonly process: ManagedProcess;
  /** Runs a command like `docker compose exec`. Throws if it fails. */
  exec(command: readonly string[]): Promise<void>;
}

/** Starts the services of docker-compose.yml in their images, on free ports of this machine. */
export async function startImages(
  images: ReadonlyMap<ServiceName, Image>,
  engines: Readonly<Record<string, string>>,
  collector: string,
  system: System,
  cleanUp: AsyncDisposableStack,
): Promise<ReadonlyMap<ServiceName, RunningImage>> {
  const ports = new Map<string, number>();
  for (const name of SERVICES) {
    ports.set(name, await findFreePort());
    ports.set(`${name} metrics`, await findFreePort());
  }
  const portOf = (name: string) => ports.get(name) ?? 0;
  const started = SERVICES.map(async (name): Promise<readonly [ServiceName, RunningImage]> => {
    const image = images.get(name);
    if (image === undefined) throw new Error(`The image of ${name} was not built.`);
    const port = portOf(name);
    const { environment, healthCheck, volumes } = composeService(name, PASSWORDS);
    const inside: ImageCommand = {
      ...image,
      readOnly: true,
      volumes,
      env: {
        ...image.env,
        ...environment,
        ...Object.fromEntries(
          SERVICES.filter((other) => `${other.toUpperCase()}_ADDRESS` in environment).map((other) => [
            `${other.toUpperCase()}_ADDRESS`,
            `127.0.0.1:${portOf(other)}`,
          ]),
        ),
        ...Object.fromEntries(Object.entries(engines).filter(([setting]) => setting in environment)),
        ...(name === 'gateway' ? { PORT: String(port) } : { GRPC_ADDRESS: `0.0.0.0:${port}` }),
        METRICS_PORT: String(portOf(`${name} metrics`)),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      },
    };
    const exec = (command: readonly string[]) =>
      runToEnd(...commandInImage(system, inside, command), { timeoutMs: CHECK_TIMEOUT_MS });
    const check = healthCheck.map((part) => part.replaceAll(String(PORTS[name]), String(port)));
    const [program, parameters] = commandInImage(system, inside, image.command);
    const process = await startProcess({
      name,
      command: program,
      args: parameters,
      readinessTimeoutMs: HEALTHY_TIMEOUT_MS,
      readiness: async (signal) => {
        for (;;) {
          const healthy = await exec(check).then(
            () => true,
            () => false,
          );
          if (healthy) return;
          await delay(500, undefined, { signal });
        }
      },
    });
    cleanUp.defer(process.stop);
    return [name, { port, metricsPort: portOf(`${name} metrics`), process, exec }];
  });
  return new Map(await Promise.all(started));
}

/** The required settings of `.env`. The engines of this test do not use the passwords. */
const PASSWORDS = {
  ...Object.fromEntries(
    ['GATEWAY', 'CHAT', 'AGENT', 'COLLECTION', 'CONNECTOR'].flatMap((name) => [
      [`DATABASE_PASSWORD_${name}`, 'unused'],
      [`NATS_PASSWORD_${name}`, 'unused'],
    ]),
  ),
  QDRANT_API_KEY: 'unused',
  LECTERN_INTERNAL_KEYS: 'the-images-under-test-share-this-key',
  LECTERN_MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
};
