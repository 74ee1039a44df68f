import type { Method } from '@lectern/api-spec';

/** Paths whose operations, except GET, manage a resource. */
const MANAGED: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/v1\/collections(\/\{id\})?$/, 'collection'],
  [/^\/api\/v1\/agents(\/\{id\}|\/from-template\/\{templateId\})?$/, 'agent'],
  [/^\/api\/v1\/connectors(\/\{id\}(\/refresh-permissions|\/sync(\/\{jobId\})?|\/files(\/upload)?)?)?$/, 'connector'],
  [/^\/api\/v1\/synonyms(\/\{id\}|\/import)?$/, 'synonym'],
  [/^\/api\/v1\/synonyms\/packs\/\{name\}$/, 'synonym_pack'],
  [/^\/api\/v1\/search-models\/\{id\}\/use$/, 'search_model'],
  [/^\/api\/v1\/questions\/\{id\}$/, 'question'],
  [/^\/api\/v1\/test-cases(\/\{id\}|\/import)?$/, 'test_case'],
  [/^\/api\/v1\/test-runs(\/\{id\}\/cancel)?$/, 'test_run'],
  [/^\/api\/v1\/test-schedule$/, 'test_schedule'],
  [/^\/api\/v1\/oauth\/init$/, 'connector'],
];

/**
 * Returns the resource type that an operation manages. Operations on key pairs are not included:
 * they record audit events in their own transactions.
 */
export function managedResource({
  method,
  path,
}: {
  readonly method: Method;
  readonly path: string;
}): string | undefined {
  return method === 'get' ? undefined : MANAGED.find(([pattern]) => pattern.test(path))?.[1];
}
