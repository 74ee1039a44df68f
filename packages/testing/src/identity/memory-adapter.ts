import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What an OpenID provider stores: one map for all kinds of records. */
export type Records = Map<string, AdapterPayload>;

/** Creates the storage of one kind of record. */
export function createAdapter(records: Records, kind: string): Adapter {
  const keyOf = (id: string) => `${kind}:${id}`;
  const findBy = (name: 'uid' | 'userCode', value: string) =>
    [...records].find(([key, payload]) => key.startsWith(`${kind}:`) && payload[name] === value)?.[1];
  return {
    upsert: async (id, payload) => void records.set(keyOf(id), payload),
    find: async (id) => records.get(keyOf(id)),
    findByUid: async (uid) => findBy('uid', uid),
    findByUserCode: async (userCode) => findBy('userCode', userCode),
    consume: async (id) => {
      const payload = records.get(keyOf(id));
      if (payload !== undefined) records.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
    },
    destroy: async (id) => void records.delete(keyOf(id)),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
    },
  };
}
