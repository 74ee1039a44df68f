import { lectern } from '#api/lectern.ts';

/** The API's maximum length of `file_filter`. */
const MAX_IDS = 10_000;

/** Reads the ids at the source of a connector's failed documents. */
export async function readFailedIds(connectorId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { externalId } of lectern().documents.ofConnector(connectorId, { status: 'failed', limit: 100 })) {
    if (externalId !== null) ids.push(externalId);
    if (ids.length === MAX_IDS) break;
  }
  return ids;
}
