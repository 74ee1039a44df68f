import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import { buildConnector, Agent as FetchAgent } from 'undici';
import { blockedAddress, type EgressPolicy } from '#egress-policy';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 10_000;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

type CreateConnection = HttpAgent['createConnection'];
type ConnectionOptions = Parameters<CreateConnection>[0];

/** Connects to checked addresses, or reports a blocked address as a failed connection. */
function guarded(
  policy: EgressPolicy,
  [options, callback]: Parameters<CreateConnection>,
  defaultPort: number,
  create: (options: ConnectionOptions) => ReturnType<CreateConnection>,
): ReturnType<CreateConnection> {
  const port = Number(options.port ?? defaultPort);
  try {
    // An agent with a socket path passes it on as `path`.
    if (typeof options.socketPath === 'string' || typeof options.path === 'string') {
      throw blockedAddress('a Unix socket');
    }
    policy.checkHost(options.host ?? '', port);
    return create({ ...options, lookup: policy.lookup(port) });
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    process.nextTick(() => callback?.(reason, new Socket()));
    return undefined;
  }
}

class GuardedHttpAgent extends HttpAgent {
  readonly #policy: EgressPolicy;

  constructor(policy: EgressPolicy) {
    super({ keepAlive: true, timeout: IDLE_MS });
    this.#policy = policy;
  }

  override createConnection(...args: Parameters<CreateConnection>): ReturnType<CreateConnection> {
    return guarded(this.#policy, args, HTTP_PORT, (options) => super.createConnection(options, args[1]));
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #policy: EgressPolicy;

  constructor(policy: EgressPolicy) {
    super({ keepAlive: true, timeout: IDLE_MS });
    this.#policy = policy;
  }

  override createConnection(...args: Parameters<CreateConnection>): ReturnType<CreateConnection> {
    return guarded(this.#policy, args, HTTPS_PORT, (options) => super.createConnection(options, args[1]));
  }
}

/** Agents for `node:http` and `node:https` that check connections with the policy. */
export function createNodeAgents(policy: EgressPolicy): { http: HttpAgent; https: HttpsAgent } {
  return { http: new GuardedHttpAgent(policy), https: new GuardedHttpsAgent(policy) };
}

/**
 * Creates a dispatcher for `fetch` that checks connections with the policy. Ignores proxies in the
 * environment.
 */
export function createFetchAgent(policy: EgressPolicy): FetchAgent {
  const connectors = new Map<number, buildConnector.connector>();
  const connectorOf = (port: number): buildConnector.connector => {
    let connector = connectors.get(port);
    if (connector === undefined) {
      connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup: policy.lookup(port) });
      connectors.set(port, connector);
    }
    return connector;
  };
  return new FetchAgent({
    keepAliveTimeout: IDLE_MS,
    allowH2: false,
    connect: (options, callback) => {
      const port = Number(options.port || (options.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT));
      try {
        if (options.socketPath) throw blockedAddress('a Unix socket');
        policy.checkHost(options.hostname, port);
        connectorOf(port)(options, callback);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      }
    },
  });
}
