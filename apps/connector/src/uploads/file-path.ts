/** Maximum UTF-8 bytes of a path. The large object stores have the same limit. */
const MAX_PATH_BYTES = 1_024;

/** The message follows the name of the path: "must not be empty". */
export class FilePathError extends Error {
  override readonly name = 'FilePathError';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this expression rejects
const CONTROL = /[\u0000-\u001f\u007f]/;
const DRIVE = /^[A-Za-z]:/;

/**
 * Normalizes a client's path: relative, with `/` separators and in Unicode's composed form, so that
 * the same name from different systems is the same file. Throws `FilePathError` for a path that
 * leaves its folder or has an empty part.
 */
export function cleanPath(clientPath: string): string {
  const path = clientPath.normalize('NFC').replaceAll('\\', '/');
  if (path === '') throw new FilePathError('must not be empty');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new FilePathError(`must not be longer than ${MAX_PATH_BYTES} bytes`);
  if (!path.isWellFormed() || CONTROL.test(path)) throw new FilePathError('must not contain control characters');
  if (path.startsWith('/') || DRIVE.test(path)) throw new FilePathError('must be relative');
  const parts = path.split('/');
  if (parts.some((part) => part.trim() === '' || part === '.' || part === '..')) {
    throw new FilePathError('must not contain empty parts, . or ..');
  }
  return path;
}
