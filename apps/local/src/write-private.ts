import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON that only this account may read (mode 0600), in one step: nobody ever sees half of it. */
export async function writePrivate(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
