import { LauncherError } from '#launcher-error';
import { tcpAnswers } from '#tcp-answers';

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
  'http:': 80,
  'https:': 443,
};
const TIMEOUT_MS = 5_000;

/** Checks that something listens at a server of the operator's own. Throws a `LauncherError` that names the setting. */
export async function requireReachable(setting: string, urls: string): Promise<void> {
  // NATS takes a list; one that answers will do.
  const addresses = urls.split(',').map((url) => addressOf(setting, url.trim()));
  const answers = await Promise.all(addresses.map(({ host, port }) => tcpAnswers(host, port, TIMEOUT_MS)));
  if (answers.includes(true)) return;
  const where = addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new LauncherError(
    `${setting} is set, but nothing answers at ${where}. Start that server, correct the setting, or unset it to have Lectern start its own.`,
  );
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(setting: string, url: string): Address {
  const text = url.includes('://') ? url : `nats://${url}`;
  if (!URL.canParse(text)) throw new LauncherError(`${setting} is not an address: it must be like nats://host:4222.`);
  const { hostname, port, protocol } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) };
}
