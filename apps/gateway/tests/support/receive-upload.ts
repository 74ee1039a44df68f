import type { UploadFilesRequest } from '@lectern/contracts';
import { AppError, type Caller, notFound, requireInScope } from '@lectern/service-kit';
import { KNOWN } from './records.ts';

/** The upload that a fake connector service received. */
export interface ReceivedUpload {
  readonly files: { readonly path: string; readonly mimeType: string; sizeBytes: number; text: string }[];
  metadata: Readonly<Record<string, unknown>> | undefined;
  /** True where its last message came. */
  ended: boolean;
  /** True where the stream was over without it. */
  brokenOff: boolean;
}

const KEPT_CHARACTERS = 100;

/** Receives an upload like the connector service, in the order of its contract. */
export async function receiveUpload(
  parts: AsyncIterable<UploadFilesRequest>,
  upload: ReceivedUpload,
  { caller, teamId = caller.teamId }: { readonly caller: Caller; readonly teamId: string | undefined },
): Promise<void> {
  let opened = false;
  for await (const { part } of parts) {
    if (opened !== (part?.$case !== 'open')) throw new Error('open must come first, once');
    opened = true;
    if (part?.$case === 'open') {
      const isForeign = part.value.connectorId !== KNOWN.connector || caller.teamId !== teamId;
      if (isForeign) throw notFound('connector', part.value.connectorId);
      requireInScope(caller, KNOWN.collection);
    }
    if (part?.$case === 'file') upload.files.push({ ...part.value, sizeBytes: 0, text: '' });
    if (part?.$case === 'metadata') upload.metadata = part.value;
    if (part?.$case === 'end') upload.ended = true;
    if (part?.$case !== 'chunk') continue;
    const file = upload.files.at(-1);
    if (file === undefined) throw new Error('a chunk must follow its file');
    file.sizeBytes += part.value.length;
    if (file.text.length < KEPT_CHARACTERS) file.text += part.value.toString('utf8').slice(0, KEPT_CHARACTERS);
  }
  upload.brokenOff = !upload.ended;
  if (upload.brokenOff) throw new AppError('cancelled', 'The upload was broken off.');
}
