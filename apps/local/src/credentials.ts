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

/** What a program needs to use this Lectern. */
export type Credentials = z.infer<typeof schema>;

/** The credentials kept from an earlier start; undefined where there are none or the file is damaged. */
export async function readCredentials(file: string): Promise<Credentials | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Keeps the credentials, readable for this account alone. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await writePrivate(file, credentials);
}
