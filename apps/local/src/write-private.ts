import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON with mode 0600 atomically. Only the process with the lock of the home can call it. */
export async function writePrivate(file: string, value: unknown): Promise<void> {
  // A fixed name, so that a leftover draft is overwritten.
  const draft = `${file}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
