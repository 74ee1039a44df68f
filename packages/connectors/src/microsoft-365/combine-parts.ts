import { z } from 'zod';
import type { Connector, ConnectorCall } from '#connector';
import { fullSyncNeeded } from '#microsoft-365/listing/change-feed';
import type { Part } from '#microsoft-365/part';
import { isUnreadable } from '#readers/reader-lists';
import { type SourceEvent, type SourcePermissions, type SourceRef, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

/** The position in a listing of several kinds of content. */
const Checkpoint = z.object({
  part: z.string(),
  /** The checkpoint of this kind; undefined at its beginning. */
  at: z.string().optional(),
  /** True if an earlier kind is incomplete. */
  incomplete: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** The cursors of several kinds of content. */
const Cursors = z.object({ parts: z.record(z.string(), z.string()) });

/** Returns a checkpoint. That of a connector with one kind of content does not name the kind. */
function readCheckpoint(parts: readonly Part[], from: string | undefined): Checkpoint | undefined {
  if (from === undefined) return undefined;
  const { data } = Checkpoint.safeParse(JSON.parse(from));
  const checkpoint = data ?? { part: parts[0]?.name ?? '', at: from, incomplete: false };
  return parts.some(({ name }) => name === checkpoint.part) ? checkpoint : undefined;
}

/** A kind that the application may not read fails alone. */
const failedPart = ({ name, label }: Part, error: SourceError): SourceEvent => ({
  type: 'failed',
  id: `part:${name}`,
  path: label,
  error: { code: UNREADABLE_ENTRY, message: `${error.message} This sync deletes nothing.` },
});

async function* listParts(
  parts: readonly Part[],
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const start = readCheckpoint(parts, from);
  let incomplete = start?.incomplete === true;
  const first = Math.max(
    0,
    parts.findIndex(({ name }) => name === start?.part),
  );
  const checkpoint = (part: Part, at?: string): SourceEvent => ({
    type: 'checkpoint',
    at: JSON.stringify({ part: part.name, at, incomplete } satisfies Checkpoint),
  });
  for (const part of parts.slice(first)) {
    const at = part.name === start?.part ? start.at : undefined;
    if (part !== parts[first]) yield checkpoint(part);
    try {
      for await (const event of part.list(call, at)) {
        if (event.type === 'checkpoint') yield checkpoint(part, event.at);
        else if (event.type !== 'complete') yield event;
        else incomplete ||= !event.authoritative;
      }
    } catch (error) {
      if (!(error instanceof SourceError) || !isUnreadable(error)) throw error;
      incomplete = true;
      yield failedPart(part, error);
    }
  }
  yield { type: 'complete', authoritative: !incomplete, confirmGone: true };
}

async function* changesOfParts(
  parts: readonly Part[],
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { data } = Cursors.safeParse(JSON.parse(from));
  const names = parts.map(({ name }) => name);
  if (data === undefined || Object.keys(data.parts).sort().join() !== [...names].sort().join()) {
    throw fullSyncNeeded('The settings changed what to read.');
  }
  const cursors = { ...data.parts };
  for (const part of parts) {
    try {
      for await (const event of part.changes(call, cursors[part.name] ?? '')) {
        if (event.type === 'checkpoint') {
          cursors[part.name] = event.at;
          yield { type: 'checkpoint', at: JSON.stringify({ parts: cursors }) };
        } else if (event.type !== 'complete') yield event;
      }
    } catch (error) {
      if (!(error instanceof SourceError) || !isUnreadable(error) || error.kind === 'gone') throw error;
      // A listing reports the error, and reads the other kinds.
      throw fullSyncNeeded(error.message, error);
    }
  }
  yield { type: 'complete', authoritative: false };
}

async function* permissionsOfParts(
  parts: readonly Part[],
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const owned = new Set<string>();
  for (const part of parts) {
    const own = refs.filter(({ id }) => part.owns(id));
    for (const { id } of own) owned.add(id);
    if (own.length > 0) yield* part.permissions(call, own);
  }
  for (const { id } of refs) if (!owned.has(id)) yield { id, principals: [] };
}

type Combined = Required<Pick<Connector, 'list' | 'cursor' | 'changes' | 'resolve' | 'fetch' | 'permissions'>>;

/**
 * Combines kinds of content. With one kind, checkpoints and cursors are those of that kind, and its
 * errors fail the job.
 */
export function combineParts(parts: readonly Part[]): Combined {
  const [only] = parts;
  const isSingle = parts.length === 1;
  const ownerOf = (id: string) => parts.find((part) => part.owns(id));
  return {
    list: (call, from) => {
      if (only === undefined || !isSingle) return listParts(parts, call, from);
      return only.list(call, from === undefined ? undefined : readCheckpoint(parts, from)?.at);
    },
    cursor: async (call) => {
      if (only !== undefined && isSingle) return only.cursor(call);
      const cursors: Record<string, string> = {};
      for (const part of parts) cursors[part.name] = await part.cursor(call);
      return JSON.stringify({ parts: cursors });
    },
    changes: (call, from) => {
      if (only === undefined || !isSingle) return changesOfParts(parts, call, from);
      return only.changes(call, from);
    },
    resolve: async (call, id) => (await ownerOf(id)?.resolve(call, id)) ?? null,
    fetch: async (call, ref) => {
      const part = ownerOf(ref.id);
      if (part === undefined) throw new SourceError('gone', `${ref.path} is not in the settings of the connector.`);
      return part.fetch(call, ref);
    },
    permissions: (call, refs) => permissionsOfParts(parts, call, refs),
  };
}
