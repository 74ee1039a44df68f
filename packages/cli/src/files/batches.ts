import type { LocalFile } from '#files/local-file';

/** The server accepts 1,000. Less is lost if the connection of a smaller upload breaks. */
const MAX_FILES = 500;
const MAX_BYTES = 256 * 1024 * 1024;

/** Splits files into uploads, in order: up to 500 files and 256 MiB each. A larger file gets its own upload. */
export function splitIntoBatches(files: readonly LocalFile[]): readonly (readonly LocalFile[])[] {
  const batches: LocalFile[][] = [];
  let sizeBytes = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_FILES || sizeBytes + file.sizeBytes > MAX_BYTES) {
      batches.push([file]);
      sizeBytes = file.sizeBytes;
    } else {
      last.push(file);
      sizeBytes += file.sizeBytes;
    }
  }
  return batches;
}
