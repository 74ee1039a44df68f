import type { Dispatcher } from 'undici';

/** Filled in as the response arrives. */
export interface CapturedResponse {
  status?: number;
  /** Undefined if the client parses the body. */
  body?: string;
  /** The error below HTTP, which `fetch` hides in the causes of a TypeError. */
  connectionError?: Error;
}

/** The client gets this instead of a captured body. */
const EMPTY_JSON = Buffer.from('{}');

/**
 * Creates an interceptor that captures the body of a successful response before the client parses it.
 * The client's own parser turns integers above 2^53 into BigInt, which `JSON.stringify` rejects,
 * and its reviver function adds half to the CPU time of a search.
 */
export function captureResponse(captured: CapturedResponse): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    let chunks: Buffer[] | undefined;
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (controller, status, headers, statusText) => {
        captured.status = status;
        // A proxy can compress a response although the request does not accept it. Then the client
        // decodes and parses it.
        const encoding = headers['content-encoding'] ?? 'identity';
        if (status === 200 && encoding === 'identity') chunks = [];
        handler.onResponseStart?.(controller, status, headers, statusText);
      },
      onResponseData: (controller, chunk) => {
        if (chunks) chunks.push(chunk);
        else handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => {
        if (chunks) {
          captured.body = Buffer.concat(chunks).toString('utf8');
          handler.onResponseData?.(controller, EMPTY_JSON);
        }
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        captured.connectionError = error;
        handler.onResponseError?.(controller, error);
      },
    });
  };
}
