import { notLecterns } from './errors.ts';

/** A success of the API. */
export interface JsonAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is for the API's description to say; the callers' types come from there
  readonly data: any;
  /** The ETag of the record, if it has one. */
  readonly etag?: string;
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly hasMore: boolean };
}

/** Reads an answer. That it is a JSON object is looked at, the rest of its shape taken on trust. */
export async function readAnswer(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  try {
    const answer = JSON.parse(text);
    if (Object(answer) !== answer) throw new TypeError('not an object');
    const etag = response.headers.get('etag');
    return etag === null ? answer : { ...answer, etag };
  } catch (cause) {
    throw notLecterns(response, cause);
  }
}
