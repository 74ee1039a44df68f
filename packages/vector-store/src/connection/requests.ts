import type { Schemas } from '@qdrant/js-client-rest';
import type { ClientCall, QdrantRequest } from '#connection/send';

/** The requests that this package makes. Writes return when they are applied. */
export const REQUESTS = {
  root: (): ClientCall<unknown> => (api, init) => api.root({}, init),

  listCollections: (): QdrantRequest<unknown> => (api, init) => api.getCollections({}, init),

  describe:
    (collection_name: string): QdrantRequest<unknown> =>
    (api, init) =>
      api.getCollection({ collection_name }, init),

  create:
    (collection_name: string, body: Schemas['CreateCollection']): QdrantRequest<unknown> =>
    (api, init) =>
      api.createCollection({ collection_name, ...body }, init),

  update:
    (collection_name: string, body: Schemas['UpdateCollection']): QdrantRequest<unknown> =>
    (api, init) =>
      api.updateCollection({ collection_name, ...body }, init),

  cluster: (): QdrantRequest<Schemas['ClusterStatus']> => (api, init) => api.clusterStatus({}, init),

  shards:
    (collection_name: string): QdrantRequest<Schemas['CollectionClusterInfo']> =>
    (api, init) =>
      api.collectionClusterInfo({ collection_name }, init),

  replicate:
    (collection_name: string, replicate_shard: Schemas['ReplicateShard']): QdrantRequest<unknown> =>
    (api, init) =>
      api.updateCollectionCluster({ collection_name, replicate_shard }, init),

  addSparseVector:
    (
      collection_name: string,
      vector_name: string,
      sparse: Schemas['SparseVectorConfig'],
    ): QdrantRequest<Schemas['UpdateResult']> =>
    (api, init) =>
      api.createVectorName({ collection_name, vector_name, wait: true, sparse }, init),

  drop:
    (collection_name: string): QdrantRequest<unknown> =>
    (api, init) =>
      api.deleteCollection({ collection_name }, init),

  createIndex:
    (collection_name: string, body: Schemas['CreateFieldIndex']): QdrantRequest<unknown> =>
    (api, init) =>
      api.createFieldIndex({ collection_name, wait: true, ...body }, init),

  change:
    (collection_name: string, operations: Schemas['UpdateOperation'][]): QdrantRequest<unknown> =>
    (api, init) =>
      api.batchUpdate({ collection_name, wait: true, operations }, init),

  remove:
    (collection_name: string, filter: Schemas['Filter']): QdrantRequest<unknown> =>
    (api, init) =>
      api.deletePoints({ collection_name, wait: true, filter }, init),

  scroll:
    (collection_name: string, body: Schemas['ScrollRequest']): QdrantRequest<Schemas['ScrollResult']> =>
    (api, init) =>
      api.scrollPoints({ collection_name, ...body }, init),

  count:
    (collection_name: string, filter: Schemas['Filter']): QdrantRequest<Schemas['CountResult']> =>
    (api, init) =>
      api.countPoints({ collection_name, filter, exact: true }, init),

  facet:
    (collection_name: string, body: Schemas['FacetRequest']): QdrantRequest<Schemas['FacetResponse']> =>
    (api, init) =>
      api.facet({ collection_name, ...body }, init),

  query:
    (collection_name: string, body: Schemas['QueryRequest']): QdrantRequest<Schemas['QueryResponse']> =>
    (api, init) =>
      api.queryPoints({ collection_name, ...body }, init),

  queryBatch:
    (collection_name: string, searches: Schemas['QueryRequest'][]): QdrantRequest<Schemas['QueryResponse'][]> =>
    (api, init) =>
      api.queryBatchPoints({ collection_name, searches }, init),
} as const;
