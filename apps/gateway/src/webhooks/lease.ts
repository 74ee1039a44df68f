import type { PrismaClient } from '#gen/prisma/client';

/** Takes or renews a lease for `ms`. Returns false if another replica has it. */
export async function takeLease(db: PrismaClient, name: string, holder: string, ms: number): Promise<boolean> {
  const rows = await db.$queryRaw<readonly unknown[]>`
    INSERT INTO webhook_leases AS known (name, holder, leased_until)
    VALUES (${name}, ${holder}, now() + ${ms} * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
    WHERE known.holder = excluded.holder OR known.leased_until < now()
    RETURNING name`;
  return rows.length > 0;
}

/** Gives a lease back, so that another replica does not have to wait for its end. */
export const releaseLease = (db: PrismaClient, name: string, holder: string) =>
  db.webhookLease.deleteMany({ where: { name, holder } });
