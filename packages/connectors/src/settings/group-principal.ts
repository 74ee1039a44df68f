import { encodeGroupName } from '@lectern/contracts';

/**
 * Returns the principal of a group: `group:<source>:<id>`, or `group:<source>:<site>/<id>` if ids
 * are unique only within a site, so that groups with the same name on two sites stay separate.
 * Principals are unique: white space, slashes and percent signs in `id` are percent-encoded. `site`
 * is an address or an id and can contain slashes.
 */
export function groupPrincipal(source: string, id: string, site?: string): string {
  const name = encodeGroupName(id);
  return site === undefined ? `group:${source}:${name}` : `group:${source}:${site}/${name}`;
}
