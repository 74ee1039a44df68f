/** The address of an instance. All requests go to this origin. */
export interface Instance {
  readonly origin: string;
  /** `/wiki` on Cloud; the context path of a Data Center, often empty. */
  readonly contextPath: string;
}

/**
 * Parses `instanceUrl`. Cloud serves Confluence under `/wiki`, whether or not the user wrote it.
 */
export function instanceOf(instanceUrl: string, cloud: boolean): Instance {
  const url = new URL(instanceUrl);
  if (cloud) return { origin: url.origin, contextPath: '/wiki' };
  return { origin: url.origin, contextPath: url.pathname.replace(/\/+$/, '') };
}

/** Returns the site in the names of groups: host and port, plus the context path on Data Center. */
export function siteOf(instanceUrl: string, cloud: boolean): string {
  const { origin, contextPath } = instanceOf(instanceUrl, cloud);
  const { host } = new URL(origin);
  return cloud ? host : `${host}${contextPath}`;
}

export const atInstance = (instance: Instance, path: string): URL =>
  new URL(`${instance.contextPath}${path}`, instance.origin);

/**
 * Converts a link to a path on the instance. Some links begin with the context path, some do not,
 * and some are absolute. Only path and query are kept, so that credentials are never sent
 * elsewhere.
 */
export function pathOfLink(instance: Instance, link: string, requestUrl: URL): string {
  if (link.startsWith('?')) return `${requestUrl.pathname}${link}`;
  const url = new URL(link, instance.origin);
  const path = `${url.pathname}${url.search}`;
  const absolute = /^https?:/i.test(link);
  return absolute || url.pathname.startsWith(`${instance.contextPath}/`) ? path : `${instance.contextPath}${path}`;
}

/**
 * Returns the URL for a browser. Prefers `_links.base`, for example a custom domain, to the
 * instance's origin.
 */
export function webUrl(instance: Instance, base: string | undefined, webui: string | undefined): string | undefined {
  if (webui === undefined) return undefined;
  if (/^https?:\/\//i.test(webui)) return webui;
  const instanceRoot = `${instance.origin}${instance.contextPath}`;
  const root = base !== undefined && /^https?:\/\//i.test(base) ? base.replace(/\/+$/, '') : instanceRoot;
  return `${root}${webui.startsWith('/') ? '' : '/'}${webui}`;
}
