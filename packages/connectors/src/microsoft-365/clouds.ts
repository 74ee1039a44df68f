/** The addresses of Entra ID and Microsoft Graph. */
export interface Cloud {
  readonly login: string;
  readonly graph: string;
}

/**
 * The clouds of Microsoft. GCC tenants are in the global one.
 * https://learn.microsoft.com/en-us/graph/deployments
 */
export const CLOUDS = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  us_government: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  us_government_dod: { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.chinacloudapi.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const satisfies Record<string, Cloud>;

export type CloudName = keyof typeof CLOUDS;
