import type { Operation } from '#http/operation';
import { createCollection } from '#operations/collections/create-collection';
import { deleteCollection } from '#operations/collections/delete-collection';
import { getCollection } from '#operations/collections/get-collection';
import { listCollections } from '#operations/collections/list-collections';
import { refreshStats } from '#operations/collections/refresh-stats';
import { updateCollection } from '#operations/collections/update-collection';
import { getHealth } from '#operations/health/get-health';
import { getReadiness } from '#operations/health/get-readiness';
import { searchDocsSite } from '#operations/search/search-docs-site';
import { searchDocuments } from '#operations/search/search-documents';

/** All that the API can do. The router, and whatever else must know every operation, is made from this table. */
export const operations: readonly Operation[] = [
  getHealth,
  getReadiness,

  searchDocuments,
  searchDocsSite,

  listCollections,
  createCollection,
  getCollection,
  updateCollection,
  deleteCollection,
  refreshStats,
];
