import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON that only this account may read (mode 0600), in one step: nobody ever sees half of it. For the holder of the home alone. */
export async function writePrivate(file: string, value: unknown): Promise<void> {
  // One name, so that the draft of a process that was killed is overwritten.
  const draft = `${file}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
