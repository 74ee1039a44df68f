/** The address of an instance. All requests go to this origin. */
export interface Instance {
  readonly origin: string;
  /** Empty on Cloud; the context path of a Data Center, often empty too. */
  readonly contextPath: string;
}

/** Parses `baseUrl`. Cloud serves Jira at the root, whichever page the user copied. */
export function instanceOf(baseUrl: string, cloud: boolean): Instance {
  const url = new URL(baseUrl);
  return { origin: url.origin, contextPath: cloud ? '' : url.pathname.replace(/\/+$/, '') };
}

/** Returns the site in the names of groups: host and port, plus the context path on Data Center. */
export const siteOf = ({ origin, contextPath }: Instance): string => `${new URL(origin).host}${contextPath}`;

export const atInstance = ({ origin, contextPath }: Instance, path: string): URL =>
  new URL(`${contextPath}${path}`, origin);
