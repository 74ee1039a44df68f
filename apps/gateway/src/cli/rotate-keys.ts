import { recordAudit } from '#audit/record-audit';
import { operator } from '#cli/operator';
import type { PrismaClient } from '#gen/prisma/client';
import { rotateKeyPair } from '#keys/pair-store';

const OVERLAP = /^\d{1,7}$/;
/** 30 days. */
const MAX_OVERLAP_SECONDS = 2_592_000;

function overlapSeconds(text: string): number {
  if (!OVERLAP.test(text) || Number(text) > MAX_OVERLAP_SECONDS) {
    throw new Error(`--overlap must be a whole number of seconds, at most ${MAX_OVERLAP_SECONDS}.`);
  }
  return Number(text);
}

/**
 * Creates new keys for a pair; the old ones stop after the overlap, in seconds. Throws if there is
 * no active pair with this id.
 */
export async function rotateKeys(db: PrismaClient, id: string, overlap: string, json: boolean): Promise<string> {
  const seconds = overlapSeconds(overlap);
  const { teamId, secretKey, publishableKey } = await db.$transaction(async (tx) => {
    const pair = await tx.keyPair.findUnique({ where: { id } });
    const keys = pair === null ? undefined : await rotateKeyPair(tx, id, seconds);
    if (pair === null || keys === undefined) throw new Error(`There is no active pair with the id ${id}.`);
    const action = { action: 'rotateApiKey', resourceType: 'api_key', resourceId: id };
    await recordAudit(tx, operator(pair.teamId), { ...action, details: { overlapSeconds: seconds } });
    return { teamId: pair.teamId, ...keys };
  });
  if (json) return JSON.stringify({ teamId, secretKey, publishableKey });
  const until = seconds === 0 ? 'within 5 s' : `in ${seconds} s`;
  return [
    `Pair             ${id}`,
    `Secret key       ${secretKey}`,
    `Publishable key  ${publishableKey}`,
    `The keys are shown once. The old ones stop working ${until}.`,
  ].join('\n');
}
