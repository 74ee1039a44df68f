import type { UploadFilesRequest } from '@lectern/contracts';
import { AppError, type Caller, notFound, requireInScope } from '@lectern/service-kit';
import { KNOWN } from './records.ts';

/** An upload that the fake connector service received. */
export interface ReceivedUpload {
  readonly files: { readonly path: string; readonly mimeType: string; sizeBytes: number; text: string }[];
  metadata: Readonly<Record<string, unknown>> | undefined;
  /** True if the last message was received. */
  ended: boolean;
  /** True if the stream ended without the last message. */
  aborted: boolean;
}

const MAX_STORED_CHARACTERS = 100;

/** Receives an upload and checks the order of its messages, like the connector service. */
export async function receiveUpload(
  parts: AsyncIterable<UploadFilesRequest>,
  upload: ReceivedUpload,
  { caller, teamId = caller.teamId }: { readonly caller: Caller; readonly teamId: string | undefined },
): Promise<void> {
  let opened = false;
  for await (const { part } of parts) {
    if (opened !== (part?.$case !== 'open')) throw new Error('the first message, and no other, must be `open`');
    opened = true;
    if (part?.$case === 'open') {
      const isUnknown = part.value.connectorId !== KNOWN.connector || caller.teamId !== teamId;
      if (isUnknown) throw notFound('connector', part.value.connectorId);
      requireInScope(caller, KNOWN.collection);
    }
    if (part?.$case === 'file') upload.files.push({ ...part.value, sizeBytes: 0, text: '' });
    if (part?.$case === 'metadata') upload.metadata = part.value;
    if (part?.$case === 'end') upload.ended = true;
    if (part?.$case !== 'chunk') continue;
    const file = upload.files.at(-1);
    if (file === undefined) throw new Error('a chunk must follow its file');
    file.sizeBytes += part.value.length;
    if (file.text.length < MAX_STORED_CHARACTERS)
      file.text += part.value.toString('utf8').slice(0, MAX_STORED_CHARACTERS);
  }
  upload.aborted = !upload.ended;
  if (upload.aborted) throw new AppError('cancelled', 'The upload was aborted.');
}
