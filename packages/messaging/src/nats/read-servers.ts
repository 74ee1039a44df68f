import type { ConnectionOptions } from '@nats-io/transport-node';

/**
 * Splits addresses into servers and credentials: the NATS client reads only the host and port of an
 * address.
 */
export function readServers(text: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token'> {
  const addresses = text.split(',').map((address) => withoutLogin(address.trim()));
  const servers = addresses.map(({ server }) => server);
  const [username, password] = addresses.find(({ login }) => login !== undefined)?.login ?? [];
  if (username === undefined) return { servers };
  return password === undefined ? { servers, token: username } : { servers, user: username, pass: password };
}

interface Address {
  readonly server: string;
  readonly login?: readonly [username: string, password: string | undefined];
}

function withoutLogin(address: string): Address {
  const [, scheme = '', login, host = ''] = /^(\w+:\/\/)?(?:(.*)@)?([^@]*)$/.exec(address) ?? [];
  if (login === undefined) return { server: address };
  const [, username = '', password] = /^([^:]*)(?::(.*))?$/s.exec(login) ?? [];
  return { server: scheme + host, login: [decode(username), password === undefined ? undefined : decode(password)] };
}

/** Decodes percent-encoding. A `%` that encodes nothing is literal. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
