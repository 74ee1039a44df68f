import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/**
 * The one door to addresses that users gave. Every connection is checked where it is made, by the address that is really connected
 * to (a name that resolves anew is checked anew). Refused are loopback, link-local, metadata, private and other special ranges,
 * unless the operator lists them, and Unix sockets always. What is refused rejects with `SourceError` of kind `invalid`.
 */
export interface EgressGuard {
  /** As the platform's `fetch`; each redirect is checked like a first address, and secrets do not follow to another origin. */
  readonly fetch: typeof globalThis.fetch;
  /** For clients of their own: agents whose connections are checked. */
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  /** A checked TCP connection. */
  connect(to: { readonly host: string; readonly port: number; readonly signal: AbortSignal }): Promise<Socket>;
  /** A guard that lets these origins (`https://host:port`) through as well: the operator's own settings, not a user's. */
  trusting(origins: readonly string[]): EgressGuard;
  close(): Promise<void>;
}
