import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '#process/engine-error';
import { runToEnd } from '#process/run-to-end';

/** The working folder, and the timeout for each of apt's two steps. */
export type DebianPackageOptions = {
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Downloads the nats-server package of Debian or Ubuntu with apt and unpacks it. Returns the program's
 * path. apt verifies signatures with the sources and keys of the system, but stores its state in the
 * given folder, so it needs neither root nor changes to the system. Throws an `EngineError`.
 */
export async function fetchDebianPackage({ folder, timeoutMs, signal }: DebianPackageOptions): Promise<string> {
  const status = '/var/lib/dpkg/status';
  await access(status).catch((cause: unknown) => {
    throw new EngineError('this system is not Debian or Ubuntu', { cause });
  });
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true });
  await mkdir(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const settings = {
    'Dir::State': folder,
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': status,
    'Dir::Cache': join(folder, 'cache'),
    // Downloads as this account, because the account _apt cannot write to the folder.
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
  if (archive === undefined) throw new EngineError('apt did not download a nats-server package');
  await runToEnd('dpkg-deb', ['--extract', join(folder, archive), join(folder, 'root')], bounds);
  return join(folder, 'root', 'usr', 'sbin', 'nats-server');
}
