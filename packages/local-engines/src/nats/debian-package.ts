import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '#process/engine-error';
import { runToEnd } from '#process/run-to-end';

/** The folder to work in, and how long each of apt's two steps may take. */
export type DebianPackageOptions = {
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Fetches the package nats-server of Debian or Ubuntu by apt and unpacks it; returns the program's path. apt checks the
 * archive's signatures with the system's own sources and keys, but keeps its state in our folder, so neither root nor a
 * change to the system is needed. Throws an `EngineError`.
 */
export async function fetchDebianPackage({ folder, timeoutMs, signal }: DebianPackageOptions): Promise<string> {
  const status = '/var/lib/dpkg/status';
  await access(status).catch((cause: unknown) => {
    throw new EngineError('this is no Debian or Ubuntu system', { cause });
  });
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true });
  await mkdir(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const settings = {
    'Dir::State': folder,
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': status,
    'Dir::Cache': join(folder, 'cache'),
    // No second account to download with: it could not write to our folder, and only root could change to it.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '0',
    'Acquire::http::Timeout': '8',
    'Acquire::https::Timeout': '8',
    'Debug::NoLocking': '1',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const bounds = { cwd: folder, timeoutMs, signal, env: { ...process.env, LC_ALL: 'C' } };
  await runToEnd('apt-get', [...options, '-qq', 'update'], bounds);
  await runToEnd('apt-get', [...options, '-qq', 'download', 'nats-server'], bounds);
  const archive = (await readdir(folder)).find((name) => name.startsWith('nats-server_') && name.endsWith('.deb'));
  if (archive === undefined) throw new EngineError('apt brought no nats-server package');
  await runToEnd('dpkg-deb', ['--extract', join(folder, archive), join(folder, 'root')], bounds);
  return join(folder, 'root', 'usr', 'sbin', 'nats-server');
}
