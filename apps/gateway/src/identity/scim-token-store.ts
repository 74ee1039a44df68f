import { newId } from '@lectern/service-kit';
import type { Prisma, ScimToken } from '#gen/prisma/client';
import { hashKey, isToken, newKey } from '#keys/format';

type Db = Prisma.TransactionClient;

/** The time of the last use is at most this old. */
const LAST_USED_MS = 60_000;

/** A token whose text is shown once. */
interface CreatedToken {
  readonly record: ScimToken;
  readonly token: string;
}

type NewToken = Pick<ScimToken, 'teamId' | 'name' | 'source' | 'createdBy'>;

export async function createScimToken(db: Db, fields: NewToken): Promise<CreatedToken> {
  const token = newKey('scim');
  const record = await db.scimToken.create({ data: { id: newId('scimToken'), tokenHash: hashKey(token), ...fields } });
  return { record, token };
}

/** Finds a token by its text. */
export async function findScimToken(db: Db, text: string): Promise<ScimToken | undefined> {
  if (!isToken('scim', text)) return undefined;
  const found = await db.scimToken.findUnique({ where: { tokenHash: hashKey(text) } });
  if (found === null) return undefined;
  const { id, lastUsedAt } = found;
  const now = new Date();
  if (now.getTime() - (lastUsedAt?.getTime() ?? 0) > LAST_USED_MS) {
    await db.scimToken.updateMany({ where: { id }, data: { lastUsedAt: now } });
  }
  return found;
}

/** Returns a page of the tokens of a team, newest first, and their total number. */
export async function listScimTokens(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly tokens: readonly ScimToken[]; readonly total: number }> {
  const where = { teamId };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const tokens = await db.scimToken.findMany({ where, orderBy, skip, take });
  return { tokens, total: await db.scimToken.count({ where }) };
}

/** Deletes a token of a team. Returns false if it does not exist. */
export async function deleteScimToken(db: Db, teamId: string, id: string): Promise<boolean> {
  return (await db.scimToken.deleteMany({ where: { id, teamId } })).count > 0;
}
