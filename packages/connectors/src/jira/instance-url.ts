/** The address of an instance. All requests go to this origin. */
export interface Instance {
  readonly origin: string;
  /** The path of a site at Atlassian's gateway, or the context path of a Data Center; often empty. */
  readonly contextPath: string;
  /** True if requests go to Atlassian's gateway, so that pages for people have another address. */
  readonly isGateway: boolean;
}

/**
 * The gateway accepts API tokens with scopes: `https://api.atlassian.com/ex/jira/<cloudId>`.
 * https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/
 */
const GATEWAY = /^\/ex\/jira\/[^/]+/;

/** Parses `baseUrl`. Cloud serves Jira at the root, whichever page the user copied. */
export function instanceOf(baseUrl: string, cloud: boolean): Instance {
  const { origin, pathname } = new URL(baseUrl);
  if (!cloud) return { origin, contextPath: pathname.replace(/\/+$/, ''), isGateway: false };
  const gateway = GATEWAY.exec(pathname)?.[0];
  return { origin, contextPath: gateway ?? '', isGateway: gateway !== undefined };
}

/** Returns the site in the names of groups: host and port, plus the context path on Data Center. */
export const siteOf = ({ origin, contextPath }: Instance): string => `${new URL(origin).host}${contextPath}`;

export const atInstance = ({ origin, contextPath }: Instance, path: string): URL =>
  new URL(`${contextPath}${path}`, origin);
