import { Agent } from 'undici';
import { type CapturedResponse, captureResponse } from '#connection/capture-response';
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

/** A response with a status other than 2xx. Qdrant's own text is for the log only. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
  readonly status: number;

  constructor(status: number, text: string, options: ErrorOptions) {
    super(`Qdrant returned ${status}: ${text.slice(0, MAX_SHOWN)}`, options);
    this.status = status;
  }
}

const MAX_SHOWN = 500;
/** Connections kept open; further requests wait for one. */
const MAX_CONNECTIONS = 64;

/** Opens the first connection at the first request. */
export function createSend(address: ServerAddress): Send {
  const api = createQdrantApi(address);
  // Every call has one deadline for everything, so its parts need none.
  const agent = new Agent({ connections: MAX_CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  return async (call, signal) => {
    const captured: CapturedResponse = {};
    // Typed as `object`, because @types/node describes the dispatcher of another undici version.
    const transport: object = { dispatcher: agent.compose(captureResponse(captured)) };
    try {
      // A redirect would send the API key to another address.
      const response = await call(api, { signal, redirect: 'error', ...transport });
      return captured.body === undefined ? response.data : JSON.parse(captured.body);
    } catch (error) {
      if (captured.connectionError) throw captured.connectionError;
      if (captured.status === undefined || captured.status < 300) throw error;
      throw new RejectedRequest(captured.status, bodyOf(error), { cause: error });
    }
  };
}

/**
 * Returns the body of an error. The client's `ApiError`, a class that it does not export, has it as
 * `data`.
 */
function bodyOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'data' in error ? JSON.stringify(error.data) : '';
}
