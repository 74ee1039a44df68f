import { unexpectedResponse } from './errors.ts';

/** The JSON body of a successful response. */
export interface ApiResponse {
  // biome-ignore lint/suspicious/noExplicitAny: callers get the type from the OpenAPI document
  readonly data: any;
  /** The ETag of the record, if it has one. */
  readonly etag?: string;
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly hasMore: boolean };
}

const isObject = (value: unknown): boolean => Object(value) === value;

/** Reads a response. Checks that it is an object with `meta`, which every response of the API has. */
export async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    if (!isObject(body) || !isObject(body.meta)) throw new TypeError('The body is not an API response.');
    const etag = response.headers.get('etag');
    return etag === null ? body : { ...body, etag };
  } catch (cause) {
    throw unexpectedResponse(response, cause);
  }
}
