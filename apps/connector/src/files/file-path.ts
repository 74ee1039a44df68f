/** UTF-8 bytes of a path; also what the object stores of the large clouds allow. */
export const MAX_PATH_BYTES = 1_024;

/** What is wrong with a path, in words that follow its name. */
export class FilePathError extends Error {
  override readonly name = 'FilePathError';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
const DRIVE = /^[A-Za-z]:/;

/**
 * A client's path as it is kept: relative, `/` between its parts, in Unicode's composed form, so that a name typed on one system is the
 * same file as on another. Throws `FilePathError` for a path that leads out of its folder or has no name.
 */
export function cleanPath(given: string): string {
  const path = given.normalize('NFC').replaceAll('\\', '/');
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
