/** Where an instance is: everything is asked of this origin and of no other. */
export interface Instance {
  readonly origin: string;
  /** `/wiki` on Cloud; the context path of a Data Center, often empty. */
  readonly contextPath: string;
}

/** Reads `instanceUrl`. Cloud serves Confluence under `/wiki`, whether the user wrote it or not. */
export function instanceOf(instanceUrl: string, cloud: boolean): Instance {
  const url = new URL(instanceUrl);
  if (cloud) return { origin: url.origin, contextPath: '/wiki' };
  return { origin: url.origin, contextPath: url.pathname.replace(/\/+$/, '') };
}

/** The instance among all others, as its groups are named by: host and port, and the context path where a host may serve several. */
export function siteOf(instanceUrl: string, cloud: boolean): string {
  const { origin, contextPath } = instanceOf(instanceUrl, cloud);
  const { host } = new URL(origin);
  return cloud ? host : `${host}${contextPath}`;
}

export const atInstance = (instance: Instance, path: string): URL =>
  new URL(`${instance.contextPath}${path}`, instance.origin);

/**
 * A link of an answer as a path on the instance: some links begin with the context path and some do not, some are absolute. Only path and
 * query are kept, so that credentials go nowhere else.
 */
export function pathOfLink(instance: Instance, link: string, askedFor: URL): string {
  if (link.startsWith('?')) return `${askedFor.pathname}${link}`;
  const url = new URL(link, instance.origin);
  const path = `${url.pathname}${url.search}`;
  const absolute = /^https?:/i.test(link);
  return absolute || url.pathname.startsWith(`${instance.contextPath}/`) ? path : `${instance.contextPath}${path}`;
}

/** The address for a person: `_links.base` of the answer (a custom domain, say) before the instance's own. */
export function webUrl(instance: Instance, base: string | undefined, webui: string | undefined): string | undefined {
  if (webui === undefined) return undefined;
  if (/^https?:\/\//i.test(webui)) return webui;
  const own = `${instance.origin}${instance.contextPath}`;
  const root = base !== undefined && /^https?:\/\//i.test(base) ? base.replace(/\/+$/, '') : own;
  return `${root}${webui.startsWith('/') ? '' : '/'}${webui}`;
}
