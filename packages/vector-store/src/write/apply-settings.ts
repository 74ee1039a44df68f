import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { type CollectionSettings, changedCollection } from '#layout/collection-settings';

/** What a change of settings did to one collection. */
export interface AppliedSettings {
  readonly collection: string;
  /** Copies of shards that Qdrant now makes in the background. */
  readonly newCopies: number;
  /** Copies that no node is left for. */
  readonly missingCopies: number;
  /** Set if the collection has another number of shards, which cannot change. */
  readonly shards: { readonly stored: number; readonly wanted: number } | undefined;
}

const collectionNames = z.object({ collections: z.array(z.object({ name: z.string() })) });

const storedCollection = z.object({
  config: z.object({
    params: z.object({
      vectors: z.object({ [VECTORS.dense]: z.object({ size: z.int() }) }),
      sparse_vectors: z.record(z.string(), z.unknown()),
      shard_number: z.int(),
      replication_factor: z.int(),
    }),
    hnsw_config: z.object({ m: z.int(), payload_m: z.int().nullish() }),
  }),
});

/**
 * Gives every collection whose name has the prefix the settings that can change, and starts the
 * missing copies of its shards. Collections with another layout are skipped.
 */
export async function* applySettings(
  connection: QdrantConnection,
  prefix: string,
  settings: CollectionSettings,
  options: CallOptions,
): AsyncGenerator<AppliedSettings, void, undefined> {
  const listed = await connection.read('list collections', REQUESTS.listCollections(), options);
  const peers = await listPeers(connection, options);
  for (const { name } of collectionNames.parse(listed).collections) {
    if (!name.startsWith(prefix)) continue;
    const stored = storedCollection.safeParse(
      await connection.read('get collection', REQUESTS.describe(name), { ...options, ifMissing: () => undefined }),
    );
    if (!stored.success) continue;
    const { params, hnsw_config } = stored.data.config;
    const { vectors, sparse_vectors, shard_number, replication_factor } = params;
    const dimensions = vectors[VECTORS.dense].size;
    const change = changedCollection({ dimensions, sparse: Object.keys(sparse_vectors), graph: hnsw_config }, settings);
    await connection.write('update collection', REQUESTS.update(name, change), options);
    const copies = settings.QDRANT_REPLICATION_FACTOR ?? replication_factor;
    const { moves, missing } =
      peers.length === 0
        ? { moves: [], missing: 0 }
        : missingCopies(await connection.read('get shards', REQUESTS.shards(name), options), peers, copies);
    for (const move of moves) await connection.write('copy shard', REQUESTS.replicate(name, move), options);
    const wanted = settings.QDRANT_SHARD_NUMBER ?? shard_number;
    yield {
      collection: name,
      newCopies: moves.length,
      missingCopies: missing,
      shards: wanted === shard_number ? undefined : { stored: shard_number, wanted },
    };
  }
}

/** Returns the ids of all nodes; none if the server is not part of a cluster. */
async function listPeers(connection: QdrantConnection, options: CallOptions): Promise<number[]> {
  const cluster = await connection.read('get cluster', REQUESTS.cluster(), options);
  return cluster.status === 'enabled' ? Object.keys(cluster.peers).map(Number) : [];
}

/** Places each missing copy on the node with the fewest shards of the collection. */
export function missingCopies(
  { peer_id, local_shards, remote_shards }: Schemas['CollectionClusterInfo'],
  peers: readonly number[],
  wanted: number,
): { readonly moves: Schemas['ReplicateShard'][]; readonly missing: number } {
  const placed = [
    ...local_shards.map(({ shard_id, state }) => ({ shard_id, state, peer: peer_id })),
    ...remote_shards.map(({ shard_id, state, peer_id: peer }) => ({ shard_id, state, peer })),
  ];
  const load = new Map(peers.map((peer) => [peer, placed.filter((shard) => shard.peer === peer).length]));
  const moves: Schemas['ReplicateShard'][] = [];
  let missing = 0;
  for (const [shard_id, replicas] of Map.groupBy(placed, (shard) => shard.shard_id)) {
    const from = replicas.find(({ state }) => state === 'Active');
    const free = peers.filter((peer) => replicas.every((replica) => replica.peer !== peer));
    for (let copies = replicas.length; copies < wanted; copies++) {
      free.sort((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0));
      const to = free.shift();
      if (from === undefined || to === undefined) {
        missing += wanted - copies;
        break;
      }
      moves.push({ shard_id, from_peer_id: from.peer, to_peer_id: to });
      load.set(to, (load.get(to) ?? 0) + 1);
    }
  }
  return { moves, missing };
}
