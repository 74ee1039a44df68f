/** What would end a principal, or the part of it that names the site, where it stands in a group's own name. */
const RESERVED = /[\s/%]/g;

/**
 * The principal of a group: `group:<source>:<id>`, and `group:<source>:<site>/<id>` where the source's ids are unique within a site alone,
 * so that the members of one site's group read nothing of another site's group of the same name. Two groups never have one principal: within
 * `id`, blanks, slashes and percent signs are written as in a URL. `site` comes from an address or is an id itself, and may hold slashes.
 */
export function groupPrincipal(source: string, id: string, site?: string): string {
  const name = id.replace(RESERVED, encodeURIComponent);
  return site === undefined ? `group:${source}:${name}` : `group:${source}:${site}/${name}`;
}
