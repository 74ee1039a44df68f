import type { Config } from '#config';
import type { Home } from '#home';
import { COMMON_SETTINGS, type EngineName, SERVICES, type Service, type ServiceName } from '#services';

/** The addresses of the engines and the ports of the services. */
export interface Addresses {
  /** Only the engines that the service needs. */
  readonly engines: Readonly<Partial<Record<EngineName, string>>>;
  readonly ports: Readonly<Record<ServiceName, number>>;
}

/** Picks settings from the environment by name. A name that ends with `*` matches a prefix. */
export function pickSettings(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const matches = (key: string) =>
    names.some((name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name));
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value !== undefined && matches(key) ? [[key, value]] : [])),
  );
}

/** The complete environment of a service: its settings, its engines and the other services. */
export function serviceEnv(service: Service, config: Config, home: Home, { engines, ports }: Addresses) {
  return {
    ...(service.name === 'connector' ? { BLOB_DIR: home.blobs } : {}),
    ...(service.settings.includes('MODELS_DIR') ? { MODELS_DIR: home.models } : {}),
    ...pickSettings(config.env, [...COMMON_SETTINGS, 'LECTERN_INTERNAL_KEYS', ...service.settings]),
    NODE_COMPILE_CACHE: home.cache,
    OTEL_SERVICE_NAME: `lectern-${service.name}`,
    ...metricsPort(service, config),
    ...(engines.postgres ? { DATABASE_URL: engines.postgres } : {}),
    ...(engines.nats ? { NATS_URL: engines.nats } : {}),
    ...(engines.qdrant ? { QDRANT_URL: engines.qdrant } : {}),
    ...(engines.qdrant && config.QDRANT_API_KEY ? { QDRANT_API_KEY: config.QDRANT_API_KEY } : {}),
    ...(service.name === 'gateway'
      ? { HOST: config.HOST, PORT: String(ports.gateway) }
      : { GRPC_ADDRESS: grpcAddress(ports[service.name]) }),
    SEARCH_ADDRESS: grpcAddress(ports.search),
    CHAT_ADDRESS: grpcAddress(ports.chat),
    AGENT_ADDRESS: grpcAddress(ports.agent),
    COLLECTION_ADDRESS: grpcAddress(ports.collection),
    CONNECTOR_ADDRESS: grpcAddress(ports.connector),
  };
}

/** The gateway serves metrics at METRICS_PORT, the other services at the next ports, in the order of `SERVICES`. */
function metricsPort({ name }: Service, { env }: Config): { METRICS_PORT?: string; METRICS_HOST?: string } {
  if (!env.METRICS_PORT) return {};
  return {
    METRICS_PORT: String(Number(env.METRICS_PORT) + SERVICES.findIndex((service) => service.name === name)),
    METRICS_HOST: env.METRICS_HOST || '127.0.0.1',
  };
}

/** Services connect to each other only on this machine. */
export function grpcAddress(port: number): string {
  return `127.0.0.1:${port}`;
}
