import { createQdrantApi, type QdrantApi, type ServerAddress } from '#connection/qdrant-api';

/** One call of the client. */
export type ClientCall<Body> = (api: QdrantApi, init: RequestInit) => Promise<{ readonly data: Body }>;

/** A call whose response has a `result`. */
export type QdrantRequest<Result> = ClientCall<{ readonly result?: Result }>;

/**
 * Makes one call and returns the response's body. Rejects with the signal's reason once it is
 * aborted.
 */
export type Send = <Body>(call: ClientCall<Body>, signal: AbortSignal) => Promise<Body>;

/** Opens the first connection at the first request. */
export function createSend(address: ServerAddress): Send {
  const api = createQdrantApi(address);
  return async (call, signal) => (await call(api, { signal })).data;
}
