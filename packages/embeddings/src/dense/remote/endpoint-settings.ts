import type { DenseEncoderSettings } from '#dense/dense-provider';
import type { Endpoint } from '#endpoint/endpoint';

/** Returns the endpoint `/embeddings` under the base address, which ends in `/v1`. */
export function createEndpoint({ baseUrl, apiKey }: DenseEncoderSettings, defaultBase: string): Endpoint {
  return {
    name: 'embedding provider',
    settings: 'EMBEDDING',
    url: `${(baseUrl ?? defaultBase).replace(/\/+$/, '')}/embeddings`,
    apiKey,
  };
}

/**
 * Names a vector space. It includes the provider, and the number of dimensions if that was chosen,
 * because each makes a different space.
 */
export function vectorSpace(provider: string, model: string, dimensions: number | undefined): string {
  return `${provider}/${model}${dimensions === undefined ? '' : `@${dimensions}`}`;
}
