import { isListening } from '#is-listening';
import { LauncherError } from '#launcher-error';

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
  'http:': 80,
  'https:': 443,
};
const TIMEOUT_MS = 5_000;

/** Checks that an external server accepts connections. Throws a `LauncherError` that names the setting. */
export async function requireReachable(setting: string, urls: string): Promise<void> {
  // NATS_URL can be a list. One server is enough.
  const addresses = urls.split(',').map((url) => addressOf(setting, url.trim()));
  const listening = await Promise.all(addresses.map(({ host, port }) => isListening(host, port, TIMEOUT_MS)));
  if (listening.includes(true)) return;
  const where = addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new LauncherError(
    `${setting} is set, but no server is listening at ${where}. Start the server, correct the setting, or unset it to let Lectern start its own.`,
  );
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(setting: string, url: string): Address {
  const text = url.includes('://') ? url : `nats://${url}`;
  if (!URL.canParse(text)) throw new LauncherError(`${setting} is not a valid URL. Use the format nats://host:4222.`);
  const { hostname, port, protocol } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) };
}
