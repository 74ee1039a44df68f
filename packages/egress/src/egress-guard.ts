import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/**
 * All connections to addresses from users go through this guard. It checks each connection by the
 * resolved address, every time a name is resolved. It blocks loopback, link-local, metadata,
 * private and other special ranges unless the operator allows them, and always Unix sockets. A
 * blocked connection rejects with `EgressError`.
 */
export interface EgressGuard {
  /**
   * Like the global `fetch`, but checks every redirect and never sends secrets to another origin.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Like `fetch`, but follows redirects only within the origin. For servers that must not choose which
   * of the operator's other hosts is called.
   */
  readonly fetchWithinOrigin: typeof globalThis.fetch;
  /** Agents with checked connections, for other HTTP clients. */
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  /** Opens a checked TCP connection. */
  connect(to: { readonly host: string; readonly port: number; readonly signal: AbortSignal }): Promise<Socket>;
  /**
   * Returns a guard that also allows these origins (`https://host:port`): for the operator's
   * settings, never a user's.
   */
  trusting(origins: readonly string[]): EgressGuard;
  close(): Promise<void>;
}
