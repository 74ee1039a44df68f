import type { DenseEncoderSettings } from '#dense/dense-provider';
import type { Endpoint } from '#endpoint/endpoint';

/** The address of `/embeddings` under the base, which ends in `/v1`. */
export function createEndpoint({ baseUrl, apiKey }: DenseEncoderSettings, defaultBase: string): Endpoint {
  return {
    name: 'embedding provider',
    settings: 'EMBEDDING',
    url: `${(baseUrl ?? defaultBase).replace(/\/+$/, '')}/embeddings`,
    apiKey,
  };
}

/** The name of a vector space. The provider in it keeps it apart from every other's; a chosen length makes another space of the same model. */
export function vectorSpace(provider: string, model: string, dimensions: number | undefined): string {
  return `${provider}/${model}${dimensions === undefined ? '' : `@${dimensions}`}`;
}
