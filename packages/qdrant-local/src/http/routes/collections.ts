import { describeCollection } from '../../collection/collection-info.ts';
import type { CollectionConfig } from '../../collection/config.ts';
import { alreadyExists, badInput } from '../../errors.ts';
import { mergePayload } from '../../json/path-update.ts';
import type { JsonObject } from '../../json/types.ts';
import {
  readCollectionConfig,
  readCreateIndex,
  readNewCollectionName,
  readNewVector,
  readSparseConfigs,
} from '../../parse/collection.ts';
import { optional, readObject, readPath } from '../../parse/reader.ts';
import { changedDenseParams, changedTuning } from '../../parse/tuning.ts';
import { collectionName, param, type Route, result } from '../route.ts';
import { updateResult } from '../update-result.ts';

function updated(config: CollectionConfig, body: JsonObject): CollectionConfig {
  const changes = Object.entries(readObject(optional(body, 'vectors') ?? {}, 'vectors'));
  const dense = Object.fromEntries(
    changes.map(([name, change]) => {
      const before = Object.hasOwn(config.dense, name) ? config.dense[name] : undefined;
      if (before === undefined) throw badInput(`Not existing vector name error: ${name}`);
      return [name, { ...before, params: changedDenseParams(before.params, change, `vectors.${name}`) }];
    }),
  );
  const sparse = readSparseConfigs(optional(body, 'sparse_vectors'));
  for (const name of Object.keys(sparse))
    if (!Object.hasOwn(config.sparse, name)) throw badInput(`Not existing vector name error: ${name}`);
  const metadata = optional(body, 'metadata');
  return {
    ...config,
    dense: { ...config.dense, ...dense },
    sparse: { ...config.sparse, ...sparse },
    tuning: changedTuning(config.tuning, body),
    metadata:
      metadata === undefined ? config.metadata : mergePayload(config.metadata ?? {}, readObject(metadata, 'metadata')),
  };
}

function withVector(config: CollectionConfig, name: string, body: JsonObject): CollectionConfig {
  if (Object.hasOwn(config.dense, name) || Object.hasOwn(config.sparse, name))
    throw alreadyExists(`Vector name ${name} already exists`);
  return { ...config, sparse: { ...config.sparse, [name]: readNewVector(body) } };
}

/** The routes of collections, their payload indexes and aliases. */
export const collectionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/collections',
    handle: ({ catalog }) => result({ collections: catalog.names().map((name) => ({ name })) }),
  },
  {
    method: 'GET',
    path: '/collections/{name}',
    handle: (context) => result(describeCollection(context.catalog.get(collectionName(context)))),
  },
  {
    method: 'GET',
    path: '/collections/{name}/exists',
    handle: (context) => result({ exists: context.catalog.has(collectionName(context)) }),
  },
  {
    method: 'PUT',
    path: '/collections/{name}',
    handle: async (context) => {
      const config = readCollectionConfig(context.body);
      await context.catalog.create(readNewCollectionName(collectionName(context)), config);
      return result(true);
    },
  },
  {
    method: 'PATCH',
    path: '/collections/{name}',
    handle: async (context) => {
      await context.catalog.reconfigure(collectionName(context), (config) => updated(config, context.body));
      return result(true);
    },
  },
  {
    method: 'DELETE',
    path: '/collections/{name}',
    handle: async (context) => result(await context.catalog.delete(collectionName(context))),
  },
  {
    method: 'PUT',
    path: '/collections/{name}/vectors/{vector}',
    handle: async (context) => {
      const collection = context.catalog.get(collectionName(context));
      const vector = param(context, 'vector');
      await context.catalog.reconfigure(collectionName(context), (config) => withVector(config, vector, context.body));
      return updateResult(context, collection.nextOperation());
    },
  },
  {
    method: 'PUT',
    path: '/collections/{name}/index',
    handle: async (context) => {
      const { path, schema } = readCreateIndex(context.body);
      const collection = context.catalog.get(collectionName(context));
      await context.catalog.createIndex(collectionName(context), path.text, schema);
      return updateResult(context, collection.nextOperation());
    },
  },
  {
    method: 'DELETE',
    path: '/collections/{name}/index/{field}',
    handle: async (context) => {
      const path = readPath(param(context, 'field'), 'field_name');
      const collection = context.catalog.get(collectionName(context));
      await context.catalog.dropIndex(collectionName(context), path.text);
      return updateResult(context, collection.nextOperation());
    },
  },
  {
    method: 'POST',
    path: '/collections/aliases',
    handle: async ({ catalog, body }) => {
      await catalog.changeAliases(body);
      return result(true);
    },
  },
  {
    method: 'GET',
    path: '/aliases',
    handle: ({ catalog }) => result({ aliases: describeAliases(catalog.aliases) }),
  },
  {
    method: 'GET',
    path: '/collections/{name}/aliases',
    handle: (context) => {
      const name = collectionName(context);
      context.catalog.get(name);
      return result({ aliases: describeAliases(context.catalog.aliases).filter((a) => a.collection_name === name) });
    },
  },
];

function describeAliases(aliases: ReadonlyMap<string, string>) {
  return [...aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
}
