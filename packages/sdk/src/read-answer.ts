/** A success of the API. */
export interface JsonAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is for the API's description to say; the callers' types come from there
  readonly data: any;
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly hasMore: boolean };
}

/** Reads an answer. Its shape is taken on trust. */
export async function readAnswer(response: Response): Promise<JsonAnswer> {
  return JSON.parse(await response.text());
}
