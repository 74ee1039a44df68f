import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CliError, usageError } from '#cli-error';
import type { LocalFile } from '#files/local-file';

/** Folders deep; far beyond what people make. */
const MAX_DEPTH = 64;
const IGNORED_FOLDERS: readonly string[] = ['node_modules', '__pycache__'];

const isWanted = (entry: Dirent) =>
  !entry.name.startsWith('.') && !(entry.isDirectory() && IGNORED_FOLDERS.includes(entry.name));

/** The files of a folder, in the order of their names. Links are left out: they may lead out of it, or in circles. */
async function filesOf(folder: string, prefix: string, depth: number): Promise<LocalFile[]> {
  if (depth > MAX_DEPTH) throw new CliError(`${folder} is too deep.`);
  const found: LocalFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.filter(isWanted).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(folder, entry.name);
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesOf(file, `${path}/`, depth + 1)));
    else if (entry.isFile()) found.push({ file, path, sizeBytes: (await stat(file)).size });
  }
  return found;
}

async function filesAt(argument: string): Promise<LocalFile[]> {
  const file = resolve(argument);
  try {
    const found = await stat(file);
    if (found.isDirectory()) return await filesOf(file, '', 1);
    if (found.isFile()) return [{ file, path: basename(file), sizeBytes: found.size }];
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${argument} cannot be read.`, { code: 'unreadable', cause: error });
  }
  throw usageError(`${argument} is neither a file nor a folder.`);
}

/**
 * The files that the arguments name: files by their name, a folder's by their path below it. Hidden files, links and `node_modules` are
 * left out. Throws `CliError`, also where two would have the same name.
 */
export async function findFiles(paths: readonly string[]): Promise<readonly LocalFile[]> {
  const byPath = new Map<string, LocalFile>();
  for (const found of (await Promise.all(paths.map(filesAt))).flat()) {
    const other = byPath.get(found.path);
    if (other !== undefined && other.file !== found.file) {
      throw usageError(`${other.file} and ${found.file} would both be ${found.path}. Upload the folder above them.`);
    }
    byPath.set(found.path, found);
  }
  if (byPath.size === 0) throw usageError('There is no file to upload.');
  return [...byPath.values()];
}
