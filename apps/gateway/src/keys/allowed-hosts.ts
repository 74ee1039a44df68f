import { parseHostPattern } from '@lectern/api-spec';

/** The host of a header. */
interface Host {
  readonly name: string;
  readonly port: string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function hostOf(address: string): Required<Host> | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  if (hostname === '') return undefined;
  // `example.com.` is the same host.
  return { name: hostname.replace(/\.$/, ''), port: port || (DEFAULT_PORTS[protocol] ?? '') };
}

function matches(entry: string, host: Host): boolean {
  const pattern = parseHostPattern(entry);
  if (pattern === undefined || (pattern.port !== undefined && pattern.port !== host.port)) return false;
  return pattern.isWildcard ? host.name.endsWith(`.${pattern.name}`) : host.name === pattern.name;
}

/**
 * True if the host of `Origin`, or else of `Referer`, is allowed. False if there is neither header,
 * or an origin without a host (`null`). Ports are compared only if the entry has one.
 */
export function isHostAllowed(
  entries: readonly string[],
  { origin, referer }: { readonly origin?: string | undefined; readonly referer?: string | undefined },
): boolean {
  const host = hostOf(origin ?? referer ?? '');
  return host !== undefined && entries.some((entry) => matches(entry, host));
}
