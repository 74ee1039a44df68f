import { z } from 'zod';
import { event } from '#catalog/define';

/**
 * A sync job's counters or status changed: `lectern.sync.<team>.<connector>.<job>.progress`.
 * Subscribers then reload the job's row.
 */
export const syncProgress = event({
  prefix: 'lectern.sync',
  name: 'progress',
  schema: z.object({ teamId: z.string(), connectorId: z.string(), jobId: z.string(), status: z.string() }),
  key: ({ teamId, connectorId, jobId }) => [teamId, connectorId, jobId],
  keyLength: 3,
});

/**
 * A source requested a pause: `lectern.sources.<connector>.paused`. All workers of the connector
 * then wait before they call the server.
 */
export const sourcePaused = event({
  prefix: 'lectern.sources',
  name: 'paused',
  schema: z.object({ connectorId: z.string(), origin: z.string(), forMs: z.number().min(0).max(2_592_000_000) }),
  key: ({ connectorId }) => [connectorId],
  keyLength: 1,
});

/** A collection was deleted: `lectern.collections.<team>.<collection>.deleted`. */
export const collectionDeleted = event({
  prefix: 'lectern.collections',
  name: 'deleted',
  schema: z.object({ teamId: z.string(), collectionId: z.string() }),
  key: ({ teamId, collectionId }) => [teamId, collectionId],
  keyLength: 2,
});

/**
 * A single document was deleted, not its collection or connector:
 * `lectern.documents.<team>.<document>.deleted`.
 */
export const documentDeleted = event({
  prefix: 'lectern.documents',
  name: 'deleted',
  schema: z.object({ teamId: z.string(), documentId: z.string() }),
  key: ({ teamId, documentId }) => [teamId, documentId],
  keyLength: 2,
});
