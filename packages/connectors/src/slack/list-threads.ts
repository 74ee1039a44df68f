import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry, mapEntries } from '#http/entries';
import { boundsOf } from '#slack/date-range';
import { SlackError } from '#slack/slack-error';
import { type Channel, type Message, MessagePage } from '#slack/slack-schemas';
import { threadItemId } from '#slack/thread-id';
import { fileRef, isRoot, type RenderContext, readableFiles, threadRef } from '#slack/thread-refs';
import type { Workspace } from '#slack/workspace';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** The position of a listing. Channels are listed in the order of their ids. */
const Checkpoint = z.object({
  channel: z.string(),
  /** The next page of its history; undefined for the first. */
  cursor: z.string().optional(),
  /** Some channels could not be read. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * Reads a page of the history. If the cursor has expired, the channel starts again, which repeats
 * items but loses none.
 */
async function historyPage(workspace: Workspace, call: ConnectorCall, channel: Channel, cursor?: string) {
  const bounds = boundsOf(workspace.range);
  const inclusive = Object.keys(bounds).length === 0 ? {} : { inclusive: 'true' };
  const parameters = { channel: channel.id, ...bounds, ...inclusive };
  const readAt = (at?: string) => workspace.api.page(call, 'conversations.history', parameters, MessagePage, at);
  try {
    return await readAt(cursor);
  } catch (error) {
    if (cursor === undefined || !(error instanceof SlackError) || error.code !== 'invalid_cursor') throw error;
    return readAt();
  }
}

/** Returns the items of a channel message: the thread it starts, and its files. */
function refsOf(message: Message, channel: Channel, renderContext: RenderContext): readonly SourceRef[] {
  if (!isRoot(message)) return [];
  const files = readableFiles(message).map((file) => fileRef(file, message, channel, renderContext));
  return [threadRef(message, channel, renderContext), ...files];
}

async function* listChannel(
  workspace: Workspace,
  call: ConnectorCall,
  channel: Channel,
  renderContext: RenderContext,
  from: Checkpoint,
): AsyncGenerator<SourceEvent, void, void> {
  let { cursor } = from;
  for (;;) {
    const { page, next } = await historyPage(workspace, call, channel, cursor);
    const { items, unreadable } = mapEntries(
      page.messages,
      ({ ts }) => ts,
      (message) => refsOf(message, channel, renderContext),
    );
    for (const ref of items) yield { type: 'item', ref };
    for (const entry of unreadable) {
      // The message's files are items too, and it is unknown which files it has.
      const id = entry.id === undefined ? undefined : threadItemId(channel.id, entry.id);
      yield failedEntry(entry, { id, what: `the messages of #${channel.name ?? channel.id}`, hides: true });
    }
    if (next === undefined) return;
    cursor = next;
    yield { type: 'checkpoint', at: JSON.stringify({ ...from, cursor }) };
  }
}

const unreadable = (error: unknown): error is SourceError =>
  error instanceof SourceError && ['forbidden', 'gone', 'invalid'].includes(error.kind);

const failed = (id: string, error: { readonly code: string; readonly message: string }): SourceEvent => ({
  type: 'failed',
  id,
  path: `#${id.replace(/^#/, '')}`,
  error,
});

/**
 * Lists every thread of the selected channels, newest first, with the files of its first message.
 */
export async function* listThreads(
  workspace: Workspace,
  call: ConnectorCall,
  from?: string,
): AsyncGenerator<SourceEvent, void, void> {
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  const { selected, missing, unreadable: unseen, names } = await workspace.channels.read(call);
  for (const entry of unseen) yield failedEntry(entry, { id: entry.id, what: 'the channels', hides: true });
  const renderContext = await workspace.renderContext(call, names);
  let partial = start?.partial ?? false;
  let first = true;
  for (const channel of selected) {
    if (start !== undefined && channel.id < start.channel) continue;
    const resumed = start?.channel === channel.id ? start : undefined;
    const beginning = resumed ?? { channel: channel.id, partial };
    if (!first && resumed === undefined) yield { type: 'checkpoint', at: JSON.stringify(beginning) };
    first = false;
    try {
      yield* listChannel(workspace, call, channel, renderContext, beginning);
    } catch (error) {
      if (!unreadable(error)) throw error;
      partial = true;
      yield failed(channel.name ?? channel.id, { code: error.kind, message: error.message });
    }
  }
  for (const name of missing) {
    const message = `The channel ${name} does not exist or is not visible to the app. Check config.channels, or invite the app to the channel.`;
    yield failed(name, { code: 'gone', message });
  }
  // If a channel is not visible, its indexed content is not deleted.
  yield { type: 'complete', authoritative: missing.length === 0 && !partial };
}
