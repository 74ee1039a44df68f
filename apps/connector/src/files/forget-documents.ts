import type { PrismaClient } from '#gen/prisma/client';

/**
 * Notes on files that their documents were deleted by hand. The version that was indexed stays, so that a sync in auto mode leaves them
 * deleted until their items change.
 */
export async function forgetDocuments(db: PrismaClient, teamId: string, documentIds: readonly string[]): Promise<void> {
  await db.file.updateMany({
    where: { teamId, documentId: { in: [...documentIds] } },
    data: { documentId: null, status: 'deleted' },
  });
}
