import type { Method } from '@lectern/api-spec';

/** Paths whose operations, except GET, manage a resource, its type, and the parameter with its id unless it is `id`. */
const MANAGED: readonly (readonly [RegExp, string, string?])[] = [
  [/^\/api\/v1\/collections(\/\{id\})?$/, 'collection'],
  [/^\/api\/v1\/agents(\/\{id\}|\/from-template\/\{templateId\})?$/, 'agent'],
  [/^\/api\/v1\/agents\/\{id\}\/schedules(\/\{scheduleId\}(\/run)?)?$/, 'schedule', 'scheduleId'],
  [
    /^\/api\/v1\/connectors(\/\{id\}(\/refresh-permissions|\/sync(\/\{jobId\})?|\/files(\/upload)?|\/items(\/\{itemId\})?|\/snapshots(\/\{snapshotId\}(\/complete)?)?)?)?$/,
    'connector',
  ],
  [/^\/api\/v1\/search-rules(\/\{id\}|\/import)?$/, 'search_rule'],
  [/^\/api\/v1\/synonyms(\/\{id\}|\/import)?$/, 'synonym'],
  [/^\/api\/v1\/synonyms\/packs\/\{name\}$/, 'synonym_pack', 'name'],
  [/^\/api\/v1\/search-models\/\{id\}\/use$/, 'search_model'],
  [/^\/api\/v1\/questions\/\{id\}$/, 'question'],
  [/^\/api\/v1\/test-cases(\/\{id\}|\/import)?$/, 'test_case'],
  [/^\/api\/v1\/test-runs(\/\{id\}\/cancel)?$/, 'test_run'],
  [/^\/api\/v1\/test-schedule$/, 'test_schedule'],
  [/^\/api\/v1\/tool-servers(\/\{id\}(\/refresh|\/tools\/\{toolName\})?)?$/, 'tool_server'],
  [/^\/api\/v1\/model-endpoints(\/\{id\})?$/, 'model_endpoint'],
  [/^\/api\/v1\/model-settings$/, 'model_settings'],
  [/^\/api\/v1\/oauth\/init$/, 'connector'],
];

/** What an operation manages. */
interface ManagedResource {
  readonly type: string;
  /** The parameter of the path with the id. An operation without it returns the resource. */
  readonly parameter: string;
}

/**
 * Returns what an operation manages. Operations on key pairs are not included: they record audit
 * events in their own transactions.
 */
export function managedResource({
  method,
  path,
}: {
  readonly method: Method;
  readonly path: string;
}): ManagedResource | undefined {
  if (method === 'get') return undefined;
  const managed = MANAGED.find(([pattern]) => pattern.test(path));
  return managed && { type: managed[1], parameter: managed[2] ?? 'id' };
}
