/** A host as a header or a list entry names it. */
interface Host {
  readonly name: string;
  /** Undefined where none is named. */
  readonly port: string | undefined;
}

const ENTRY =
  /^(\*\.)?((?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** True for a host name, `*.` before one for all below it, and a port where one is meant. In small letters. */
export function isHostEntry(text: string): boolean {
  const port = ENTRY.exec(text)?.[3];
  return ENTRY.test(text) && (port === undefined || Number(port) <= 65_535);
}

function hostOf(address: string): Required<Host> | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  if (hostname === '') return undefined;
  // `example.com.` is the same host.
  return { name: hostname.replace(/\.$/, ''), port: port || (DEFAULT_PORTS[protocol] ?? '') };
}

function matches(entry: string, host: Host): boolean {
  const [, wildcard, name, port] = ENTRY.exec(entry) ?? [];
  if (name === undefined || (port !== undefined && port !== host.port)) return false;
  return wildcard === undefined ? host.name === name : host.name.endsWith(`.${name}`);
}

/**
 * True where a browser's request comes from an allowed host: that of `Origin`, else that of `Referer`. A request that names neither, or
 * an origin without a host (`null`), is refused. Names compare without case; ports only where the entry has one.
 */
export function isHostAllowed(
  entries: readonly string[],
  { origin, referer }: { readonly origin?: string | undefined; readonly referer?: string | undefined },
): boolean {
  const host = hostOf(origin ?? referer ?? '');
  return host !== undefined && entries.some((entry) => matches(entry, host));
}
