import type { ConnectorCall } from '../connector.ts';
import type { SourceContent } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { Channel, Message } from './slack-forms.ts';
import { fileNameOf, fileRef, readableFiles, type Showing } from './thread-refs.ts';
import type { Workspace } from './workspace.ts';

/** A page for signing in, in place of the file: what Slack answers where the app lacks the scope. */
const signInPage = (name: string) =>
  new SourceError('forbidden', `Slack gives a sign-in page for ${name}: the app needs the scope files:read.`);

/** Ends a body that is not wanted: its connection is held until it is begun and left. */
async function letGo(body: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  await pieces.next().catch(() => undefined);
  await pieces.return?.();
}

/** The bytes as they come, which end with an error where there are more or fewer than Slack said. */
async function* ofSize(body: AsyncIterable<Uint8Array>, size: number, name: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes !== size) throw signInPage(name);
}

/** A file that was sent with a thread's first message. */
export async function readFile(
  of: Workspace,
  call: ConnectorCall,
  given: { readonly root: Message; readonly fileId: string; readonly channel: Channel; readonly showing: Showing },
): Promise<SourceContent> {
  const file = readableFiles(given.root).find(({ id }) => id === given.fileId);
  const address = file?.url_private_download ?? file?.url_private;
  if (file === undefined || !address) throw new SourceError('gone', 'The file does not exist any more.');
  const name = fileNameOf(file);
  const { value, headers } = await of.api.download(call, address, `The file ${name}`);
  const looksLikePage = /^text\/html\b/i.test(headers.get('content-type') ?? '');
  const isPage = /html/i.test(file.mimetype ?? '');
  if (looksLikePage && !isPage) {
    await letGo(value);
    throw signInPage(name);
  }
  const mustMatch = looksLikePage && file.size != null;
  return {
    body: mustMatch ? ofSize(value, file.size ?? 0, name) : value,
    version: fileRef(file, given.root, given.channel, given.showing).version,
    fileName: name,
    metadata: { channel: `#${given.channel.name ?? given.channel.id}` },
  };
}
