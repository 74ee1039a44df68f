import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CliError, usageError } from '#cli-error';
import type { LocalFile } from '#files/local-file';

/** The maximum depth of nested folders. */
const MAX_DEPTH = 64;
const IGNORED_FOLDERS: readonly string[] = ['node_modules', '__pycache__'];

const isIncluded = (entry: Dirent) =>
  !entry.name.startsWith('.') && !(entry.isDirectory() && IGNORED_FOLDERS.includes(entry.name));

/** Finds the files of a folder, sorted by name. Skips symbolic links, which can form cycles. */
async function filesOf(folder: string, prefix: string, depth: number): Promise<LocalFile[]> {
  if (depth > MAX_DEPTH)
    throw new CliError(`${folder} is nested more than ${MAX_DEPTH} levels deep. Upload a subfolder instead.`);
  const found: LocalFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.filter(isIncluded).sort((a, b) => (a.name < b.name ? -1 : 1))) {
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
    throw new CliError(`Cannot read ${argument}. Check the path and its permissions.`, {
      code: 'unreadable',
      cause: error,
    });
  }
  throw usageError(`${argument} is neither a file nor a folder.`);
}

/**
 * Finds the files to upload. A file is named by its file name, files in a folder by their relative path.
 * Skips hidden files, symbolic links and `node_modules`. Throws `CliError`, also for duplicate names.
 */
export async function findFiles(paths: readonly string[]): Promise<readonly LocalFile[]> {
  const byPath = new Map<string, LocalFile>();
  for (const found of (await Promise.all(paths.map(filesAt))).flat()) {
    const other = byPath.get(found.path);
    if (other !== undefined && other.file !== found.file) {
      throw usageError(
        `${other.file} and ${found.file} would both be uploaded as ${found.path}. Upload their parent folder instead.`,
      );
    }
    byPath.set(found.path, found);
  }
  if (byPath.size === 0)
    throw usageError('There are no files to upload. Hidden files, links and node_modules are skipped.');
  return [...byPath.values()];
}
