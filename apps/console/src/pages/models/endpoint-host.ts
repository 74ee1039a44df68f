import type { ModelEndpoint } from '#api/types.ts';

const PROVIDER_HOSTS = { anthropic: 'api.anthropic.com', openai: 'api.openai.com' } as const;

/** The host that receives the texts. Undefined for an invalid address. */
export function endpointHost({ provider, url }: Pick<ModelEndpoint, 'provider' | 'url'>): string | undefined {
  if (url === null) return PROVIDER_HOSTS[provider];
  return URL.canParse(url) ? new URL(url).host : undefined;
}
