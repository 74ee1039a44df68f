import type { Catalog } from '../../collection/catalog.ts';
import { qdrantVersion } from '../../version.ts';
import { type Reply, type Route, result } from '../route.ts';

function text(body: string): Reply {
  return { kind: 'text', body };
}

function metric(name: string, help: string, samples: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples.map((sample) => `${name}${sample}\n`).join('')}`;
}

function metrics(catalog: Catalog): string {
  const names = catalog.names();
  const perCollection = (read: (name: string) => number): string[] =>
    names.map((name) => `{collection=${JSON.stringify(name)}} ${read(name)}`);
  return [
    metric('app_info', 'information about qdrant-local server', [`{name="qdrant-local",version="${qdrantVersion}"} 1`]),
    metric('collections_total', 'number of collections', [` ${names.length}`]),
    metric(
      'collection_points',
      'approximate amount of points per collection',
      perCollection((name) => catalog.get(name).store.ids.size),
    ),
    metric(
      'collection_vectors',
      'amount of vectors grouped by collection',
      perCollection((name) => catalog.get(name).store.vectorCount()),
    ),
    metric('process_resident_memory_bytes', 'resident memory size in bytes', [` ${process.memoryUsage.rss()}`]),
  ].join('');
}

/** The routes of version, cluster, health and metrics. */
export const serviceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    handle: () => ({ kind: 'json', body: { title: 'qdrant - vector search engine', version: qdrantVersion } }),
  },
  { method: 'GET', path: '/cluster', handle: () => result({ status: 'disabled' }) },
  { method: 'GET', path: '/healthz', handle: () => text('healthz check passed') },
  { method: 'GET', path: '/livez', handle: () => text('healthz check passed') },
  { method: 'GET', path: '/readyz', handle: () => text('all shards are ready') },
  { method: 'GET', path: '/metrics', handle: ({ catalog }) => text(metrics(catalog)) },
];
