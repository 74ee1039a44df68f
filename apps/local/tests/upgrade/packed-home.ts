import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Facts } from './fill-home.ts';

const run = promisify(execFile);
/** One folder for each packed data folder, named after the version that created it. */
const FOLDER = fileURLToPath(new URL('./homes', import.meta.url));
const ARCHIVE = 'home.tar.zst';
const FACTS = 'facts.json';
/** Files that every start rewrites. */
const EXCLUDED = ['./cache', './logs', './run', './bin', './launcher.pid.json', './state.json'];
const MAX_TAR_BYTES = 256 * 1024 * 1024;
/** The repository rejects files above 1 MB. */
const MAX_PACKED_BYTES = 1_000_000;
/** PostgreSQL cannot run as root, so its data must belong to another account. */
const NOBODY = 65_534;

/** Returns the versions with a packed data folder. */
export async function packedVersions(): Promise<string[]> {
  return (await readdir(FOLDER)).sort();
}

/** Reads the responses of the API when the data folder was packed. */
export async function factsOf(version: string): Promise<Facts> {
  return JSON.parse(await readFile(join(FOLDER, version, FACTS), 'utf8'));
}

/**
 * Packs the data folder of a stopped Lectern. Throws if the archive is too large for the
 * repository.
 */
export async function packHome(home: string, version: string, facts: Facts): Promise<string> {
  const folder = join(FOLDER, version);
  await mkdir(folder, { recursive: true });
  const tar = join(folder, 'home.tar');
  const excluded = EXCLUDED.map((name) => `--exclude=${name}`);
  await run('tar', ['-cf', tar, '--format=ustar', ...excluded, '-C', home, '.']);
  const params = {
    [constants.ZSTD_c_compressionLevel]: 22,
    // PostgreSQL's databases are copies of each other, megabytes apart.
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  const packed = await promisify(zstdCompress)(await readFile(tar), { params });
  await rm(tar);
  if (packed.byteLength > MAX_PACKED_BYTES)
    throw new Error(`The archive has ${packed.byteLength} bytes, more than ${MAX_PACKED_BYTES}. Put less data in it.`);
  await writeFile(join(folder, ARCHIVE), packed);
  await writeFile(join(folder, FACTS), `${JSON.stringify(facts, null, 2)}\n`);
  return folder;
}

/** Unpacks a data folder with the owner and modes of a real installation. */
export async function unpackHome(version: string, home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const packed = await readFile(join(FOLDER, version, ARCHIVE));
  const tar = `${home}.tar`;
  await writeFile(tar, await promisify(zstdDecompress)(packed, { params, maxOutputLength: MAX_TAR_BYTES }));
  await run('tar', ['-xpf', tar, '-C', home, '--no-same-owner']);
  await rm(tar);
  if (process.getuid?.() !== 0) return;
  await chmod(home, 0o711);
  const data = join(home, 'postgres');
  const inside = await readdir(data, { recursive: true });
  for (const path of ['', ...inside]) await chown(join(data, path), NOBODY, NOBODY);
}
