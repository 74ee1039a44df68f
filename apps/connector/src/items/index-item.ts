import { createHash } from 'node:crypto';
import { basename, extname, join } from 'node:path/posix';
import type { Connector, SourceContent, SourceRef } from '@lectern/connectors';
import type { ParsedDocument } from '@lectern/documents';
import { sitOut } from '../clients/sit-out.ts';
import type { Context } from '../context.ts';
import { LeaseLost, orAborted } from '../leases/hold-lease.ts';
import { principalsOf } from '../permissions/principals-of.ts';
import { beginWriting, type HeldItem } from './claim-item.ts';
import { documentType } from './document-type.ts';
import { mayIndex } from './may-index.ts';
import type { StageNotes } from './note-stage.ts';
import { type Spooled, spoolContent } from './spool-content.ts';
import { withSpoolFolder } from './spool-folder.ts';

/** What became of an item that was worked to its end. */
export type Outcome =
  | {
      readonly stage: 'indexed';
      readonly documentId: string;
      readonly version: string;
      readonly checksum: string;
      readonly mimeType: string;
      readonly sizeBytes: number;
    }
  | { readonly stage: 'skipped' }
  | { readonly stage: 'deleted' };

/** What a document says of its file; what its owner said of it stands above. */
function metadataOf(content: SourceContent, parsed: ParsedDocument, spooled: Spooled, ref: SourceRef) {
  const { pages, mimeType } = parsed.metadata;
  const author = ref.author ?? parsed.metadata.author;
  return {
    ...(author === undefined ? {} : { author }),
    ...(pages === undefined ? {} : { pages }),
    ...(ref.updatedAt === undefined ? {} : { updatedAt: ref.updatedAt }),
    mimeType,
    sizeBytes: spooled.sizeBytes,
    fileName: content.fileName,
    ...content.metadata,
  };
}

/** A file's name is a title only where its content has none; what a platform calls a page is one. */
function titleOf(ref: SourceRef, parsed: ParsedDocument): string {
  const isFileName = ref.title === basename(ref.path) && extname(ref.title) !== '';
  return isFileName ? (parsed.title ?? ref.title) : ref.title;
}

/**
 * Names what is read, so that the same needs no indexing again. Where the source has no versions it is what the content is, and what is
 * shown of the item.
 */
function versionOf(content: SourceContent, ref: SourceRef, sha256: string): string {
  const given = content.version ?? ref.version;
  if (given !== undefined) return given;
  const shown = JSON.stringify([sha256, ref.title, ref.path]);
  return `sha256:${createHash('sha256').update(shown).digest('hex')}`;
}

interface Work {
  readonly source: Connector;
  readonly item: HeldItem;
  readonly notes: StageNotes;
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function work(ctx: Context, { source, item, notes, folder, signal }: Work): Promise<Outcome> {
  if (!(await mayIndex(ctx, source, item, signal))) return { stage: 'deleted' };
  const { ref } = item;
  const content = await orAborted(source.fetch({ signal }, ref), signal);
  const limits = { maxBytes: ctx.config.MAX_FILE_BYTES, signal };
  const spooled = await orAborted(spoolContent(content, join(folder, 'content'), limits), signal);
  const version = versionOf(content, ref, spooled.sha256);
  if (item.mode === 'auto' && item.file?.indexedVersion === version) return { stage: 'skipped' };
  await notes.at('collected');

  const hint = ref.mimeType === undefined ? {} : { mimeType: ref.mimeType };
  const parsed = await ctx.parser.parse({ path: spooled.path, fileName: content.fileName, ...hint }, { signal });
  await notes.at('parsed');

  const { connectorId, collectionId, type, sourceId: externalId } = item;
  const { mimeType } = parsed.metadata;
  const document = {
    title: titleOf(ref, parsed),
    content: parsed.text,
    type: documentType(mimeType),
    url: ref.url,
    metadata: metadataOf(content, parsed, spooled, ref),
    principals: [...(await principalsOf(ctx, source, item, signal))],
  };
  const documentId = item.file?.documentId ?? null;
  // A document that somebody deleted is made again by a sync that finds its item changed, not by an upload's own.
  const index = () =>
    item.mode === 'incremental' && documentId !== null
      ? ctx.index.index(item.teamId, { id: documentId, ...document }, signal)
      : ctx.index.indexItem(item.teamId, { connectorId, collectionId, source: type, externalId, ...document }, signal);
  if (!(await beginWriting(ctx, item))) throw new LeaseLost('The lease on the item has expired.');
  const id = await sitOut(index, signal);
  const { sizeBytes, sha256 } = spooled;
  return { stage: 'indexed', documentId: id, version, checksum: `sha256:${sha256}`, mimeType, sizeBytes };
}

/** Fetches an item, reads its text and has it indexed. Every step may be repeated: the last one to finish counts. */
export function indexItem(ctx: Context, item: HeldItem, notes: StageNotes, signal: AbortSignal): Promise<Outcome> {
  return ctx.sources.use(item.connectorId, (source) =>
    withSpoolFolder((folder) => work(ctx, { source, item, notes, folder, signal })),
  );
}
