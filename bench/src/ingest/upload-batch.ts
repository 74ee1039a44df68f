import { z } from 'zod';
import type { CorpusDocument } from '#corpus/corpus';
import { type Api, read } from '#system/api';

const TIMEOUT_MS = 300_000;
const uploaded = z.object({
  data: z.object({ files: z.array(z.object({ path: z.string(), documentId: z.string() })), jobId: z.string() }),
});

/** The result of an upload. */
export interface UploadedBatch {
  readonly jobId: string;
  /** The id in the corpus of each document, by Lectern's id. */
  readonly corpusIds: ReadonlyMap<string, string>;
}

/** Uploads documents as Markdown files, in one request. */
export async function uploadBatch(
  { baseUrl, secretKey }: Api,
  connector: string,
  documents: readonly CorpusDocument[],
  signal: AbortSignal,
): Promise<UploadedBatch> {
  const form = new FormData();
  const idOfPath = new Map<string, string>();
  for (const { id, title, text } of documents) {
    // Ids of a corpus can contain characters that are invalid in paths.
    const path = `${encodeURIComponent(id)}.md`;
    idOfPath.set(path, id);
    form.append('files', new Blob([`# ${title}\n\n${text}\n`], { type: 'text/markdown' }), path);
  }
  const response = await fetch(`${baseUrl}/api/v1/connectors/${connector}/files/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: form,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const body = read({ status: response.status, text: await response.text() }, 'The upload');
  const { files, jobId } = uploaded.parse(body).data;
  const corpusIds = files.map(({ path, documentId }) => [documentId, idOfPath.get(path) ?? path] as const);
  return { jobId, corpusIds: new Map(corpusIds) };
}
