import type { ConnectorCall } from '#connector';
import type { Channel, Message } from '#slack/slack-schemas';
import { fileNameOf, fileRef, type RenderContext, readableFiles } from '#slack/thread-refs';
import type { Workspace } from '#slack/workspace';
import type { SourceContent } from '#source';
import { SourceError } from '#source-error';

/**
 * Returns the error for a sign-in page instead of the file, which Slack returns without the scope.
 */
const signInPage = (name: string) =>
  new SourceError('forbidden', `Slack returned a sign-in page for ${name}. Give the app the scope files:read.`);

/** Releases the connection of an unused body, which must be started first. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  await pieces.next().catch(() => undefined);
  await pieces.return?.();
}

/** Throws at the end of the body if its size differs from the declared size. */
async function* ofSize(body: AsyncIterable<Uint8Array>, size: number, name: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes !== size) throw signInPage(name);
}

/** Reads a file of a thread's first message. */
export async function readFile(
  workspace: Workspace,
  call: ConnectorCall,
  location: {
    readonly root: Message;
    readonly fileId: string;
    readonly channel: Channel;
    readonly renderContext: RenderContext;
  },
): Promise<SourceContent> {
  const file = readableFiles(location.root).find(({ id }) => id === location.fileId);
  const address = file?.url_private_download ?? file?.url_private;
  if (file === undefined || !address) throw new SourceError('gone', 'The file no longer exists.');
  const name = fileNameOf(file);
  const { value, headers } = await workspace.api.download(call, address, `The file ${name}`);
  const looksLikePage = /^text\/html\b/i.test(headers.get('content-type') ?? '');
  const isPage = /html/i.test(file.mimetype ?? '');
  if (looksLikePage && !isPage) {
    await discard(value);
    throw signInPage(name);
  }
  const mustMatch = looksLikePage && file.size != null;
  return {
    body: mustMatch ? ofSize(value, file.size ?? 0, name) : value,
    version: fileRef(file, location.root, location.channel, location.renderContext).version,
    fileName: name,
    metadata: { channel: `#${location.channel.name ?? location.channel.id}` },
  };
}
