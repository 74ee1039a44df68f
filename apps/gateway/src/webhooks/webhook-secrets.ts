import { type Logger, REWRAP_BATCH, rewrapRows, type Sealed, type Secrets } from '@lectern/service-kit';
import type { PrismaClient, Webhook } from '#gen/prisma/client';

/** Secrets are sealed for the row of their webhook. */
const ownerOf = ({ id, teamId }: Pick<Webhook, 'id' | 'teamId'>) => ({ row: id, team: teamId });

/** Returns the columns of a new secret. Throws `unavailable` without a master key. */
export const sealSecret = (secrets: Secrets, webhook: Pick<Webhook, 'id' | 'teamId'>, secret: string) =>
  secrets.seal(secret, ownerOf(webhook));

/** Returns the columns of the secret before the current one. */
function oldSecretOf({ oldSealed, oldWrappedKey, oldMasterKeyVersion }: Webhook): Sealed | undefined {
  if (oldSealed === null || oldWrappedKey === null || oldMasterKeyVersion === null) return undefined;
  return { sealed: oldSealed, wrappedKey: oldWrappedKey, masterKeyVersion: oldMasterKeyVersion };
}

/** Returns the secrets that sign now, the current one first. Throws `unavailable` if one cannot be opened. */
export function openSecrets(secrets: Secrets, webhook: Webhook, now: Date): string[] {
  const current = String(secrets.open(webhook, ownerOf(webhook)));
  const old = oldSecretOf(webhook);
  if (old === undefined || webhook.oldUntil === null || webhook.oldUntil <= now) return [current];
  return [current, String(secrets.open(old, ownerOf(webhook)))];
}

/** Rewraps the secrets, current and old ones, that an older master key wraps. */
export async function rewrapWebhookSecrets(db: PrismaClient, secrets: Secrets, log: Logger): Promise<void> {
  const page = { orderBy: { id: 'asc' }, take: REWRAP_BATCH } as const;
  await rewrapRows(
    secrets,
    log,
    (where) => db.webhook.findMany({ where, ...page }),
    ({ id, wrappedKey }, data) => db.webhook.updateMany({ where: { id, wrappedKey }, data }),
  );
  await rewrapRows(
    secrets,
    log,
    async ({ id, masterKeyVersion }) => {
      const rows = await db.webhook.findMany({ where: { id, oldMasterKeyVersion: masterKeyVersion }, ...page });
      return rows.map((row) => ({ ...row, ...oldSecretOf(row) }));
    },
    ({ id, wrappedKey }, { wrappedKey: oldWrappedKey, masterKeyVersion: oldMasterKeyVersion }) =>
      db.webhook.updateMany({
        where: { id, oldWrappedKey: wrappedKey },
        data: { oldWrappedKey, oldMasterKeyVersion },
      }),
  );
}
