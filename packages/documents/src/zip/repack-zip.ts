import { zipSync } from 'fflate';
import type { ZipFile } from '#zip/open-zip';

/**
 * A ZIP file with some of another's entries, stored without compression. Libraries that inflate by themselves without a
 * bound are given this: what is in it has been inflated within the budget already.
 */
export const repackZip = (zip: ZipFile, keep: (name: string) => boolean): Uint8Array => {
  const entries = zip.names.filter((name) => !name.endsWith('/') && keep(name)).map((name) => [name, zip.read(name)]);
  return zipSync(Object.fromEntries(entries), { level: 0 });
};
