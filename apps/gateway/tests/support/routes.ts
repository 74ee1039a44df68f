import type { Express } from 'express';

/** As much of Express' layers as is looked into here. */
interface Layer {
  readonly route?: { readonly path: string | readonly string[]; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: { readonly stack?: readonly Layer[] };
}

/** No operations of their own: a preflight, and what refuses all other methods. */
const EVERYWHERE = ['options', '_all', 'head'];

function ofLayer({ route, handle }: Layer): readonly string[] {
  if (route === undefined) return (handle?.stack ?? []).flatMap(ofLayer);
  const methods = Object.keys(route.methods).filter((method) => !EVERYWHERE.includes(method));
  const paths = typeof route.path === 'string' ? [route.path] : route.path;
  return paths.flatMap((path) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
}

/** What an application serves, as its routers know it: `get /api/v1/collections/{id}`. */
export function routesOf(app: Express): readonly string[] {
  return (app.router as unknown as { readonly stack: readonly Layer[] }).stack.flatMap(ofLayer);
}
