import type { ConnectorHost, RenewedCredential } from '@lectern/connectors';
import type { Logger } from '@lectern/service-kit';
import type { SecretOwner, SecretStore } from '#credentials/secret-store';
import { storeReplacement } from '#credentials/store-replacement';
import type { PrismaClient } from '#gen/prisma/client';

/** The last renewal of each connector's credentials in this process. */
export type Renewals = Map<string, Promise<unknown>>;

interface Dependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly renewals: Renewals;
  readonly owner: SecretOwner;
  /** The revision of the credentials that the source was opened with. */
  readonly revision: number;
}

/** Returns the stored value of a field. Undefined if someone has entered other credentials since `revision`. */
async function readField({ db, secrets, owner, revision }: Dependencies, field: string): Promise<string | undefined> {
  const stored = await secrets.read(db, owner);
  const value = stored?.revision === revision ? stored.value[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Stores a replacement, unless someone has entered other credentials. */
async function storeField(
  { db, log, secrets, owner, revision }: Dependencies,
  field: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { id: connectorId } = owner;
  await storeReplacement(log, connectorId, () =>
    db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT connector_id FROM connector_secrets WHERE connector_id = ${connectorId} FOR UPDATE`;
      const stored = await secrets.read(tx, owner);
      if (stored?.revision !== revision || stored.value[field] !== from) return;
      await secrets.refresh(tx, owner, { ...stored.value, [field]: to });
    }),
  );
}

async function renewOnce<T extends RenewedCredential>(
  deps: Dependencies,
  field: string,
  from: string,
  renew: (current: string) => Promise<T>,
): Promise<T> {
  const result = await renew(from);
  const to = result.replacement;
  if (to !== undefined && to !== from) await storeField(deps, field, { from, to });
  return result;
}

/**
 * Creates the `renewCredential` of a connector. Renewals of the same credentials follow each other in
 * this process; if another process was faster, the renewal is repeated with what it stored. Nothing is
 * locked meanwhile: people choose the address of the provider, which can take a minute to respond.
 */
export function createRenewCredential(deps: Dependencies): ConnectorHost['renewCredential'] {
  const { renewals, owner, revision } = deps;
  const key = JSON.stringify([owner.id, revision]);
  return async (field, known, renew) => {
    const work = async () => {
      const from = (await readField(deps, field)) ?? known;
      try {
        return await renewOnce(deps, field, from, renew);
      } catch (error) {
        const latest = await readField(deps, field);
        if (latest === undefined || latest === from) throw error;
        return renewOnce(deps, field, latest, renew);
      }
    };
    const renewal = (renewals.get(key) ?? Promise.resolve()).then(work, work);
    renewals.set(key, renewal);
    try {
      return await renewal;
    } finally {
      if (renewals.get(key) === renewal) renewals.delete(key);
    }
  };
}

/** For settings that are only tried: nothing is stored. */
export const renewWithoutStore = <T extends RenewedCredential>(
  _field: string,
  known: string,
  renew: (current: string) => Promise<T>,
): Promise<T> => renew(known);
