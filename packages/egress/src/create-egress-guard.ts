import { once } from 'node:events';
import { connect } from 'node:net';
import type { Agent as FetchAgent } from 'undici';
import type { EgressGuard } from '#egress-guard';
import { createEgressPolicy, type EgressPolicy, type ResolveHost, resolveBySystem } from '#egress-policy';
import { type EgressRule, normalName } from '#egress-rule';
import { createFetchAgent, createNodeAgents } from '#guarded-agents';
import { createGuardedFetch } from '#guarded-fetch';

export interface EgressGuardOptions {
  /** The operator's setting, parsed with `parseEgressAllow`. */
  readonly allow: readonly EgressRule[];
  /** Resolves names; the system's resolver by default. */
  readonly resolve?: ResolveHost;
}

function hostAndPort(origin: string): string {
  const url = new URL(origin);
  return `${normalName(url.hostname)}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)}`;
}

async function openSocket(policy: EgressPolicy, to: Parameters<EgressGuard['connect']>[0]) {
  to.signal.throwIfAborted();
  policy.checkHost(to.host, to.port);
  const socket = connect({ host: to.host, port: to.port, lookup: policy.lookup(to.port) });
  try {
    await once(socket, 'connect', { signal: to.signal });
    return socket;
  } catch (error) {
    // The attempt can still fail after its listeners are removed.
    socket.on('error', () => undefined).destroy();
    to.signal.throwIfAborted();
    throw error;
  }
}

/**
 * Creates the egress guard of a process. Guards created by `trusting` are cached and closed with
 * it.
 */
export function createEgressGuard(options: EgressGuardOptions): EgressGuard {
  const resolve = options.resolve ?? resolveBySystem;
  const guards = new Map<string, EgressGuard>();

  const guardOf = (trusted: readonly string[]): EgressGuard => {
    const key = trusted.join(' ');
    const existing = guards.get(key);
    if (existing !== undefined) return existing;
    const policy = createEgressPolicy(options.allow, resolve, new Set(trusted));
    const agents = createNodeAgents(policy);
    let fetchAgent: FetchAgent | undefined;
    const agentOfFetch = () => {
      fetchAgent ??= createFetchAgent(policy);
      return fetchAgent;
    };
    const guard: EgressGuard = {
      fetch: createGuardedFetch(agentOfFetch),
      fetchWithinOrigin: createGuardedFetch(agentOfFetch, { withinOrigin: true }),
      httpAgent: agents.http,
      httpsAgent: agents.https,
      connect: (to) => openSocket(policy, to),
      trusting: (origins) => guardOf([...new Set([...trusted, ...origins.map(hostAndPort)])].sort()),
      close: async () => {
        guards.delete(key);
        agents.http.destroy();
        agents.https.destroy();
        await fetchAgent?.destroy();
        if (trusted.length === 0) await Promise.all([...guards.values()].map((other) => other.close()));
      },
    };
    guards.set(key, guard);
    return guard;
  };
  return guardOf([]);
}
