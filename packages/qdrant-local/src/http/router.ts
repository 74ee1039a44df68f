import type { Route } from './route.ts';

/** A route with the values of its parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly route: Route;
  readonly segments: readonly string[];
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const wanted = pattern[i] ?? '';
    const segment = segments[i] ?? '';
    if (wanted.startsWith('{')) {
      const value = decode(segment);
      if (!value) return undefined;
      params[wanted.slice(1, -1)] = value;
    } else if (wanted !== segment) return undefined;
  }
  return params;
}

/**
 * Creates a router that finds routes by method and path. Routes are grouped by method and number of
 * segments. Within a group, those with fewer parameters come first, so that `/collections/aliases`
 * does not match `/collections/{name}`.
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => RouteMatch | undefined {
  const groups = new Map<string, Compiled[]>();
  for (const route of routes) {
    const segments = route.path.split('/').slice(1);
    const key = `${route.method} ${segments.length}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ route, segments });
  }
  const parameters = (compiled: Compiled): number => compiled.segments.filter((s) => s.startsWith('{')).length;
  for (const group of groups.values()) group.sort((a, b) => parameters(a) - parameters(b));
  return (method, path) => {
    const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
    for (const { route, segments: pattern } of groups.get(`${method} ${segments.length}`) ?? []) {
      const params = matchSegments(pattern, segments);
      if (params) return { route, params };
    }
    return undefined;
  };
}
