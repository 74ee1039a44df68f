import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import { SlackError } from '#slack/slack-error';
import { type Channel, type Message, MessagePage } from '#slack/slack-schemas';
import { timeOf } from '#slack/thread-id';
import {
  authorOf,
  fileNameOf,
  isRoot,
  permalinkOf,
  type RenderContext,
  textOfMessage,
  threadRef,
} from '#slack/thread-refs';
import type { Workspace } from '#slack/workspace';
import type { SourceContent } from '#source';
import { SourceError } from '#source-error';

const gone = (what: string) => new SourceError('gone', `${what} no longer exists.`);

/**
 * Returns one message of a channel's history: Slack does not always treat a message without replies
 * as a thread.
 */
async function alone(
  workspace: Workspace,
  call: ConnectorCall,
  channel: string,
  ts: string,
): Promise<readonly Message[]> {
  const parameters = { channel, oldest: ts, latest: ts, inclusive: 'true', limit: '1' };
  return (await workspace.api.request(call, 'conversations.history', parameters, MessagePage)).value.messages.items;
}

const isNoThread = (error: unknown): boolean => error instanceof SlackError && error.code === 'thread_not_found';

/** Returns the first message of a thread; null if it does not exist. */
export async function findRoot(
  workspace: Workspace,
  call: ConnectorCall,
  channel: string,
  ts: string,
): Promise<Message | null> {
  const pick = (messages: readonly Message[]) =>
    messages.find((message) => message.ts === ts && isRoot(message)) ?? null;
  try {
    const parameters = { channel, ts, limit: '1' };
    return pick(
      (await workspace.api.request(call, 'conversations.replies', parameters, MessagePage)).value.messages.items,
    );
  } catch (error) {
    if (isNoThread(error)) return pick(await alone(workspace, call, channel, ts));
    if (error instanceof SourceError && error.kind === 'gone') return null;
    throw error;
  }
}

async function* pagesOfThread(workspace: Workspace, call: ConnectorCall, channel: string, ts: string) {
  try {
    const pages = workspace.api.pages(call, 'conversations.replies', { channel, ts }, MessagePage);
    // Throws, because an unreadable reply would be missing from the thread without notice.
    for await (const page of pages) yield wholeList(page.messages, 'the thread');
  } catch (error) {
    if (!isNoThread(error)) throw error;
    yield await alone(workspace, call, channel, ts);
  }
}

/** Returns all messages of a thread, oldest first. Each page repeats the first message. */
async function readMessages(workspace: Workspace, call: ConnectorCall, channel: Channel, ts: string, maxBytes: number) {
  const messages = new Map<string, Message>();
  let bytes = 0;
  for await (const page of pagesOfThread(workspace, call, channel.id, ts)) {
    for (const message of page) {
      if (!messages.has(message.ts)) bytes += Buffer.byteLength(message.text ?? '');
      messages.set(message.ts, message);
    }
    if (bytes > maxBytes) {
      throw new SourceError('too_large', `The thread is larger than the limit of ${maxBytes} bytes.`);
    }
  }
  return [...messages.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}

const shownTime = (ts: string): string => `${timeOf(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function writeMessage(message: Message, renderContext: RenderContext): string {
  const head = `**${authorOf(message, renderContext) ?? 'Somebody'}** · ${shownTime(message.ts)}${message.edited ? ' (edited)' : ''}`;
  const files = (message.files ?? [])
    .filter((file) => file.mode !== 'tombstone')
    .map((file) => `- File: ${file.permalink ? `[${fileNameOf(file)}](${file.permalink})` : fileNameOf(file)}`);
  return [head, textOfMessage(message, renderContext), files.join('\n')].filter((part) => part !== '').join('\n\n');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

/** Converts a thread to Markdown: author, time and text of each message, with names in mentions. */
export async function readThread(
  workspace: Workspace,
  call: ConnectorCall,
  channel: Channel,
  ts: string,
  renderContext: RenderContext,
  maxBytes: number,
): Promise<SourceContent> {
  const messages = await readMessages(workspace, call, channel, ts, maxBytes);
  const root = messages.find((message) => message.ts === ts);
  if (root === undefined || !isRoot(root)) throw gone('The thread');
  const ref = threadRef(root, channel, renderContext);
  const channelName = `#${channel.name ?? channel.id}`;
  const head = `# ${ref.title}\n\n[${channelName}](${permalinkOf(channel.id, ts, renderContext)})`;
  const text = [head, ...messages.map((message) => writeMessage(message, renderContext))].join('\n\n');
  const participants = [...new Set(messages.flatMap((message) => authorOf(message, renderContext) ?? []))];
  return {
    body: bytesOf(`${text}\n`),
    version: ref.version,
    fileName: `${channel.id}__${ts}.md`,
    metadata: { channel: channelName, participants },
  };
}
