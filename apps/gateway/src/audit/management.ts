import type { Method } from '@lectern/api-spec';

/** Paths under which whatever is no GET manages something, and the resource that it manages. */
const MANAGED: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/v1\/collections(\/\{id\})?$/, 'collection'],
  [/^\/api\/v1\/agents(\/\{id\}|\/from-template\/\{templateId\})?$/, 'agent'],
  [/^\/api\/v1\/connectors(\/\{id\}(\/refresh-permissions|\/sync(\/\{jobId\})?|\/files(\/upload)?)?)?$/, 'connector'],
  [/^\/api\/v1\/oauth\/init$/, 'connector'],
];

/** The resource that an operation manages; undefined where it manages none. Key pairs are not here: they note it with the change itself. */
export function managedResource({
  method,
  path,
}: {
  readonly method: Method;
  readonly path: string;
}): string | undefined {
  return method === 'get' ? undefined : MANAGED.find(([pattern]) => pattern.test(path))?.[1];
}
