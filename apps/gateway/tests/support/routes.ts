import type { Express } from 'express';

/** The part of an Express layer that is read here. */
interface Layer {
  readonly route?: { readonly path: string | readonly string[]; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: { readonly stack?: readonly Layer[] };
}

/** Methods of preflight requests and of the handler that rejects all other methods. */
const GENERIC_METHODS = ['options', '_all', 'head'];

function routesOfLayer({ route, handle }: Layer): readonly string[] {
  if (route === undefined) return (handle?.stack ?? []).flatMap(routesOfLayer);
  const methods = Object.keys(route.methods).filter((method) => !GENERIC_METHODS.includes(method));
  const paths = typeof route.path === 'string' ? [route.path] : route.path;
  return paths.flatMap((path) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
}

/** Returns the routes of an application, like `get /api/v1/collections/{id}`. */
export function routesOf(app: Express): readonly string[] {
  return (app.router as unknown as { readonly stack: readonly Layer[] }).stack.flatMap(routesOfLayer);
}
