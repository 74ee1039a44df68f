import { ApiError, toApiError } from '#api/api-error.ts';
import { currentKey } from '#session/key-store.ts';

export interface Uploaded {
  readonly files: readonly { readonly name: string; readonly documentId: string }[];
  readonly jobId: string;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Sends files to a connector. `onProgress` is told the part that has been sent, 0 to 1: fetch cannot say so, hence XMLHttpRequest.
 * Throws `ApiError`.
 */
export function uploadFiles(
  connectorId: string,
  files: readonly File[],
  onProgress: (part: number) => void,
): Promise<Uploaded> {
  const form = new FormData();
  // A file of a chosen folder keeps its path in it.
  for (const file of files) form.append('files', file, file.webkitRelativePath || file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/connectors/${connectorId}/files/upload`);
    request.setRequestHeader('authorization', `Bearer ${currentKey() ?? ''}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new ApiError('unreachable', 'The connection was lost while the files were sent.'));
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status < 300) resolve((body as { readonly data: Uploaded }).data);
      else {
        const retryAfter = request.getResponseHeader('retry-after');
        reject(toApiError(request.status, new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter }), body));
      }
    };
    request.send(form);
  });
}
