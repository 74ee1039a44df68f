import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { type DateRange, isWithin } from '#slack/date-range';
import { listThreads } from '#slack/list-threads';
import { readFile } from '#slack/read-file';
import { readGroups, readPermissions } from '#slack/read-permissions';
import { findRoot, readThread } from '#slack/read-thread';
import { createSlackApi } from '#slack/slack-api';
import { testConnection } from '#slack/test-connection';
import { parseThreadId, type ThreadId } from '#slack/thread-id';
import { fileRef, readableFiles, threadRef } from '#slack/thread-refs';
import { createWorkspace } from '#slack/workspace';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface SlackSettings {
  readonly token: string;
  /** Names or ids; empty for every public channel that the app is in. */
  readonly channels: readonly string[];
  readonly dateRange: DateRange;
}

/** Opens a workspace. Slack has no change feed. A listing takes one request per 200 messages. */
export function openSlack(
  settings: SlackSettings,
  host: Pick<ConnectorHost, 'egress' | 'addresses' | 'maxItemBytes'>,
): Connector {
  const workspace = createWorkspace(createSlackApi(settings.token, host), settings.channels, settings.dateRange);

  /** Returns the channel of an id and its context; undefined if the settings do not select it. */
  const place = async (call: ConnectorCall, id: ThreadId) => {
    const { selected, names } = await workspace.channels.recent(call);
    const channel = selected.find((entry) => entry.id === id.channel);
    if (channel === undefined || !isWithin(id.ts, workspace.range)) return undefined;
    return { channel, renderContext: await workspace.renderContext(call, names) };
  };

  const resolve = async (call: ConnectorCall, text: string): Promise<SourceRef | null> => {
    const id = parseThreadId(text);
    const found = id === undefined ? undefined : await place(call, id);
    if (id === undefined || found === undefined) return null;
    const root = await findRoot(workspace, call, id.channel, id.ts);
    if (root === null) return null;
    if (id.file === undefined) return threadRef(root, found.channel, found.renderContext);
    const file = readableFiles(root).find((entry) => entry.id === id.file);
    return file === undefined ? null : fileRef(file, root, found.channel, found.renderContext);
  };

  const fetch = async (call: ConnectorCall, ref: SourceRef): Promise<SourceContent> => {
    const id = parseThreadId(ref.id);
    const found = id === undefined ? undefined : await place(call, id);
    const gone = new SourceError('gone', `${ref.path} no longer exists or is no longer selected.`);
    if (id === undefined || found === undefined) throw gone;
    const { channel, renderContext } = found;
    if (id.file === undefined) return readThread(workspace, call, channel, id.ts, renderContext, host.maxItemBytes);
    const root = await findRoot(workspace, call, id.channel, id.ts);
    if (root === null) throw gone;
    return readFile(workspace, call, { root, fileId: id.file, channel, renderContext });
  };

  return {
    test: (call) => testConnection(workspace, call),
    list: (call, from) => listThreads(workspace, call, from),
    resolve,
    fetch,
    permissions: (call, refs) => readPermissions(workspace, call, refs),
    groups: (call) => readGroups(workspace, call),
  };
}
