import type { FileCatalogue, UploadedFile } from '@lectern/connectors';
import type { File, PrismaClient } from '#gen/prisma/client';
import { jsonObject } from './json-object.ts';

function toUploaded(file: File): UploadedFile[] {
  if (file.blobKey === null) return [];
  const { path, blobKey, mimeType, updatedAt } = file;
  return [
    { path, blobKey, sizeBytes: Number(file.sizeBytes), mimeType, updatedAt, metadata: jsonObject(file.metadata) },
  ];
}

/** The files that were sent to a connector, from their rows. */
export function createFileCatalogue(db: PrismaClient, connectorId: string): FileCatalogue {
  return {
    page: async (after, limit) => {
      const rows = await db.file.findMany({
        where: {
          connectorId,
          removedAt: null,
          blobKey: { not: null },
          ...(after === undefined ? {} : { sourceId: { gt: after } }),
        },
        orderBy: { sourceId: 'asc' },
        take: limit,
      });
      return rows.flatMap(toUploaded);
    },
    find: async (path) => {
      const row = await db.file.findUnique({ where: { connectorId_sourceId: { connectorId, sourceId: path } } });
      return row === null || row.removedAt !== null ? undefined : toUploaded(row)[0];
    },
  };
}
