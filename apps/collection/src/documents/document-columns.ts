import type { CollectionModels } from '#collections/collection-models';
import type { DocumentWithCollection } from '#documents/document-record';
import { Prisma } from '#gen/prisma/client';

/** The columns of a document `d` and its collection `c`, for `fromColumns`. */
export const DOCUMENT_COLUMNS = Prisma.raw(`
  d.id, d.team_id AS "teamId", d.collection_id AS "collectionId", d.connector_id AS "connectorId", d.external_id AS "externalId",
  d.title, d.url, d.source, d.type, d.metadata, d.principals, d.status::text, d.error_code AS "errorCode",
  d.error_message AS "errorMessage", d.version, d.indexed_version AS "indexedVersion", d.indexed_model AS "indexedModel",
  d.indexed_analysis AS "indexedAnalysis", d.indexed_points AS "indexedPoints", d.languages, d.chunk_count AS "chunkCount", d.size_bytes AS "sizeBytes", d.created_at AS "createdAt", d.updated_at AS "updatedAt",
  d.indexed_at AS "indexedAt", d.deleted_at AS "deletedAt", d.purged_at AS "purgedAt",
  c.name AS "collectionName", c.embedding_model AS "embeddingModel", c.previous_models AS "previousModels"`);

/** A row of `DOCUMENT_COLUMNS`. */
export interface DocumentColumns extends Omit<DocumentWithCollection, 'collection'>, CollectionModels {
  readonly collectionName: string;
}

/** Converts a row of `DOCUMENT_COLUMNS` to a document. */
export function fromColumns({
  collectionName,
  embeddingModel,
  previousModels,
  ...document
}: DocumentColumns): DocumentWithCollection {
  return { ...document, collection: { name: collectionName, embeddingModel, previousModels } };
}
