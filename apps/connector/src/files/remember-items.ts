import type { SourceRef } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';

/**
 * Keeps what a listing says of items that Lectern does not store itself; of those it does, the upload has said it. Rows that say so already are
 * not written.
 */
export async function rememberItems(
  tx: Prisma.TransactionClient,
  { teamId, connectorId }: { readonly teamId: string; readonly connectorId: string },
  refs: readonly SourceRef[],
): Promise<void> {
  if (refs.length === 0) return;
  const rows = [...new Map(refs.map((ref) => [ref.id, ref])).values()].map((ref) => ({
    id: newId('file'),
    source_id: ref.id,
    path: ref.path,
    size_bytes: ref.sizeBytes ?? null,
    mime_type: ref.mimeType ?? null,
    ref,
  }));
  await tx.$executeRaw`
    INSERT INTO files (id, team_id, connector_id, source_id, path, size_bytes, mime_type, ref)
    SELECT listed.id, ${teamId}, ${connectorId}, listed.source_id, listed.path, coalesce(listed.size_bytes, 0),
      coalesce(listed.mime_type, 'application/octet-stream'), listed.ref
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS listed (id text, source_id text, path text, size_bytes bigint, mime_type text, ref jsonb)
    ORDER BY listed.source_id
    ON CONFLICT (connector_id, source_id) DO UPDATE
    SET path = excluded.path, ref = excluded.ref,
      size_bytes = CASE WHEN excluded.ref->'sizeBytes' IS NULL THEN files.size_bytes ELSE excluded.size_bytes END,
      mime_type = CASE WHEN excluded.ref->'mimeType' IS NULL THEN files.mime_type ELSE excluded.mime_type END,
      updated_at = now()
    WHERE files.blob_key IS NULL AND files.removed_at IS NULL AND files.ref IS DISTINCT FROM excluded.ref`;
}
