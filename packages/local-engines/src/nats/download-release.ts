import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchBounded } from '#nats/fetch-bounded';
import { type NatsRelease, releasePlatform } from '#nats/release';
import { EngineError } from '#process/engine-error';
import { runToEnd } from '#process/run-to-end';

/** The archive to download, its location, and the target folder. */
export type DownloadOptions = {
  readonly release: NatsRelease;
  /** The archive is at `<baseUrl>/v<version>/nats-server-v<version>-<platform>.tar.gz`. */
  readonly baseUrl: string;
  readonly folder: string;
  readonly stallTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

const MAX_BYTES = 64 * 1024 * 1024;

/** Downloads a release archive, verifies its SHA-256 and unpacks it. Returns the program's path. Throws an `EngineError`. */
export async function downloadRelease(options: DownloadOptions): Promise<string> {
  const platform = releasePlatform();
  const expected = options.release.sha256[platform];
  if (expected === undefined) throw new EngineError(`there is no release archive for ${platform}`);
  const name = `nats-server-v${options.release.version}-${platform}`;
  const url = `${options.baseUrl.replace(/\/+$/, '')}/v${options.release.version}/${name}.tar.gz`;
  const archive = await fetchBounded(url, { ...options, maxBytes: MAX_BYTES });
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== expected)
    throw new EngineError(`${url}: SHA-256 is ${actual}, not ${expected}; the archive was deleted`);
  const file = join(options.folder, 'nats-server.tar.gz');
  await writeFile(file, archive, { mode: 0o600 });
  await runToEnd('tar', ['-xzf', file, '-C', options.folder], { timeoutMs: 20_000, signal: options.signal });
  return join(options.folder, name, 'nats-server');
}
