import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const SERVICES = ['gateway', 'search', 'chat', 'agent', 'collection', 'connector'] as const;
export type ServiceName = (typeof SERVICES)[number];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The files with groups of settings that a `config.ts` includes with `...name`. */
const GROUPS: Readonly<Record<string, string>> = {
  serviceSettings: 'packages/service-kit/src/config.ts',
  collectionSettings: 'packages/vector-store/src/layout/collection-settings.ts',
  embeddingSettings: 'packages/embeddings/src/dense/embedding-settings.ts',
  modelEnvironment: 'packages/llm/src/registry/model-environment.ts',
  localModelSettings: 'packages/embeddings/src/dense/embedding-settings.ts',
  rerankSettings: 'apps/search/src/rerank/rerank-settings.ts',
};

const SETTING = /^\s+([A-Z][A-Z0-9_]{2,})[:,]/gm;
const GROUP = /^\s+\.\.\.(\w+),/gm;

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Reads the settings of a service from its source, without loading the service. */
export function settingsOf(service: ServiceName): Set<string> {
  const source = read(`apps/${service}/src/config.ts`);
  const groups = namesIn(source, GROUP).map((name) => {
    const path = GROUPS[name];
    if (path === undefined) throw new Error(`${service} includes ${name}. Add its file to service-settings.ts.`);
    return read(path);
  });
  return new Set([source, ...groups].flatMap((text) => namesIn(text, SETTING)));
}

/** Settings of telemetry and Node, which every process reads. */
export const TELEMETRY = ['OTEL_', 'METRICS_PORT', 'METRICS_HOST', 'NODE_ENV'];

/** Time to close connections and send spans after the last request. */
export const CLOSING_MS = 5_000;

export { ROOT };
