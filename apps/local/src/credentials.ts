import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '#launcher-error';
import { writePrivate } from '#write-private';

const schema = z.object({
  baseUrl: z.url(),
  teamId: z.string().min(1),
  secretKey: z.string().min(1),
  publishableKey: z.string().min(1),
});

/** The address and keys that a program needs to call the API of this installation. */
export type Credentials = z.infer<typeof schema>;

/** Reads the stored credentials. Returns undefined if there are none or the file is damaged. */
export async function readCredentials(file: string): Promise<Credentials | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Stores the credentials in a file that only this account can read. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await writePrivate(file, credentials);
}
