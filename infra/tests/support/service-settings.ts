import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const SERVICES = ['gateway', 'search', 'chat', 'agent', 'collection', 'connector'] as const;
export type ServiceName = (typeof SERVICES)[number];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the groups of settings are that a `config.ts` takes in by `...name`. */
const GROUPS: Readonly<Record<string, string>> = {
  serviceSettings: 'packages/service-kit/src/config.ts',
  embeddingSettings: 'packages/embeddings/src/dense/embedding-settings.ts',
  modelEnvironment: 'packages/llm/src/registry/model-environment.ts',
  rerankSettings: 'apps/search/src/rerank/rerank-settings.ts',
};

const SETTING = /^\s+([A-Z][A-Z0-9_]{2,})[:,]/gm;
const GROUP = /^\s+\.\.\.(\w+),/gm;

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The settings of a service's schema, read from its source: so that no service has to be loaded. */
export function settingsOf(service: ServiceName): Set<string> {
  const source = read(`apps/${service}/src/config.ts`);
  const groups = namesIn(source, GROUP).map((name) => {
    const path = GROUPS[name];
    if (path === undefined) throw new Error(`${service} takes in ${name}; say in service-settings.ts where it is`);
    return read(path);
  });
  return new Set([source, ...groups].flatMap((text) => namesIn(text, SETTING)));
}

/** What a process is told besides, by OpenTelemetry's and our own telemetry, and by Node. */
export const TELEMETRY = ['OTEL_', 'METRICS_PORT', 'METRICS_HOST', 'NODE_ENV'];

/** What a service needs after its last request, to close its connections and send its spans. */
export const CLOSING_MS = 5_000;

export { ROOT };
