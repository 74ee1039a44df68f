import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path/posix';
import type { Connector, SourceContent, SourceRef } from '@lectern/connectors';
import type { ParsedDocument, Recognition } from '@lectern/documents';
import { LeaseLost, orAborted, retry } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { storeListedFiles } from '#files/files';
import { beginWriting, type ClaimedItem, type Outcome } from '#sync/store/items';
import { documentType } from '#sync/worker/document-type';
import type { Slot } from '#sync/worker/fair-slots';
import { principalsOf } from '#sync/worker/permissions';
import { type SpoolFolder, spoolContent, withSpoolFolder } from '#sync/worker/spool';
import type { StageRecorder } from '#sync/worker/stage-recorder';
import { countedBytes } from '#sync/worker/text-bytes';

// --- Checks before the work ---

/** The item's file is being removed, but the item exists. A later attempt can index it. */
export class RemovalInProgress extends Error {
  override readonly name = 'RemovalInProgress';
}

/**
 * Makes sure that the item's file has a row before its document is created, because a removal finds
 * the document by the row. Returns false if the item was removed after it was planned. Throws
 * `RemovalInProgress`.
 */
async function ensureFile(ctx: Context, source: Connector, item: ClaimedItem, signal: AbortSignal): Promise<boolean> {
  if (item.file !== undefined && !item.file.isRemoved) return true;
  const ref = await orAborted(source.resolve({ signal }, item.sourceId), signal);
  if (ref === null) return false;
  if (item.file !== undefined) throw new RemovalInProgress('The earlier document of the item is being removed.');
  await storeListedFiles(ctx.db, item, [ref]);
  return true;
}

// --- The document ---

/** What was read and parsed of an item. */
interface ReadItem {
  readonly content: SourceContent;
  readonly version: string;
  readonly parsed: ParsedDocument;
  readonly sizeBytes: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

/** Text recognized with less confidence than this usually has wrong words. */
const LOW_CONFIDENCE = 75;
/** Pages that a document's metadata lists. */
const MAX_LISTED_PAGES = 100;

/** Returns what a document's metadata reports about text recognition. */
function ocrMetadata({ confidence, pages, unreadPages }: Recognition) {
  const low = pages.filter((page) => page.words.length > 0 && page.confidence < LOW_CONFIDENCE).map(({ page }) => page);
  return {
    confidence,
    pages: pages.length,
    ...(low.length === 0 ? {} : { lowConfidencePages: low.slice(0, MAX_LISTED_PAGES) }),
    ...(unreadPages.length === 0 ? {} : { unreadPages: unreadPages.slice(0, MAX_LISTED_PAGES) }),
  };
}

/** Merges the metadata of a document. Metadata of its source overrides that of its content. */
function metadataOf({ content, parsed, sizeBytes }: ReadItem, ref: SourceRef) {
  const { pages, mimeType } = parsed.metadata;
  const { recognition } = parsed;
  const author = ref.author ?? parsed.metadata.author;
  return {
    ...(author === undefined ? {} : { author }),
    ...(pages === undefined ? {} : { pages }),
    ...(ref.updatedAt === undefined ? {} : { updatedAt: ref.updatedAt }),
    ...(recognition === undefined ? {} : { ocr: ocrMetadata(recognition) }),
    mimeType,
    sizeBytes,
    fileName: content.fileName,
    ...content.metadata,
  };
}

/**
 * Returns the title of a document. A file name is used only if the content has no title; the title
 * of a page is always used.
 */
function titleOf(ref: SourceRef, parsed: ParsedDocument): string {
  const isFileName = ref.title === basename(ref.path) && extname(ref.title) !== '';
  return isFileName ? (parsed.title ?? ref.title) : ref.title;
}

/**
 * Identifies what was read, so that the same content is not indexed again. Without a version from
 * the source it is a hash of the content, the title and the path.
 */
function versionOf(content: SourceContent, ref: SourceRef, sha256: string): string {
  const version = content.version ?? ref.version;
  if (version !== undefined) return version;
  const shown = JSON.stringify([sha256, ref.title, ref.path]);
  return `sha256:${createHash('sha256').update(shown).digest('hex')}`;
}

// --- The work ---

/** Longer than a restart of the collection service takes. */
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = 300;

/** Returns true for an unavailable service. A service that stops cancels its calls. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unavailable' || error.code === 'cancelled');

/**
 * Retries a call during a restart of the service, so that fetched and parsed content is not lost.
 */
function retryWhileUnavailable<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return retry(call, {
    attempts: RETRY_FOR_MS / RETRY_EVERY_MS + 1,
    minDelayMs: RETRY_EVERY_MS,
    maxDelayMs: RETRY_EVERY_MS,
    totalMs: RETRY_FOR_MS,
    shouldRetry: (error) => isUnavailable(error) && !signal.aborted,
    signal,
  });
}

interface Work {
  readonly source: Connector;
  readonly item: ClaimedItem;
  readonly stages: StageRecorder;
  readonly slot: Slot;
  /** Starts the time limit of the item again. */
  readonly extendDeadline: () => void;
  readonly signal: AbortSignal;
}

/** Fetches and parses an item. Returns undefined if this version is already indexed. */
async function readItem(
  ctx: Context,
  { source, item, stages, slot, extendDeadline, signal }: Work,
  folder: SpoolFolder,
): Promise<ReadItem | undefined> {
  const { ref } = item;
  const isIndexed = (version: string | undefined) =>
    item.mode === 'auto' && version !== undefined && item.file?.indexedVersion === version;
  if (isIndexed(ref.version)) return undefined;
  const content = await orAborted(source.fetch({ signal }, ref), signal);
  const limits = { maxBytes: ctx.config.MAX_FILE_BYTES, signal };
  const spooled = await orAborted(spoolContent(content, folder, limits), signal);
  const { sizeBytes, sha256 } = spooled;
  const version = versionOf(content, ref, sha256);
  if (isIndexed(version)) return undefined;
  await stages.record('collected');

  const hint = ref.mimeType === undefined ? {} : { mimeType: ref.mimeType };
  const parsed = await ctx.parser.parse(
    { ...spooled.content, fileName: content.fileName, ...hint },
    // A scan takes minutes: other items are read in the meantime, and its deadline counts from its last page.
    { signal, onRecognize: () => slot.park(), onPage: extendDeadline },
  );
  await stages.record('parsed');
  return { content, version, parsed, sizeBytes, sha256 };
}

/** An item whose document keeps its text. */
interface Kept {
  readonly source: Connector;
  readonly item: ClaimedItem;
  readonly signal: AbortSignal;
}

/** Refreshes who can read a document that keeps its text, if its source knows that without a request. */
async function refreshReaders(ctx: Context, { source, item, signal }: Kept): Promise<void> {
  if (source.permissionsAreCheap !== true) return;
  const { teamId, connectorId, sourceId: externalId } = item;
  const principals = [...(await principalsOf(ctx, source, item, signal))];
  const items = [{ externalId, principals }];
  await retryWhileUnavailable(() => ctx.index.setPermissions(teamId, { connectorId, items }, signal), signal);
}

/** Refreshes who can read the earlier text of an item that cannot be indexed. */
export function refreshFailed(ctx: Context, item: ClaimedItem, signal: AbortSignal): Promise<void> {
  return ctx.sources.use(item.connectorId, (source) => refreshReaders(ctx, { source, item, signal }));
}

async function fetchAndIndex(ctx: Context, work: Work): Promise<Outcome> {
  const { source, item, slot, signal } = work;
  if (!(await ensureFile(ctx, source, item, signal))) return { stage: 'deleted' };
  // The temporary file is not needed while the text waits and is indexed.
  const read = await withSpoolFolder((folder) => readItem(ctx, work, folder));
  if (read === undefined) {
    await refreshReaders(ctx, work);
    return { stage: 'skipped' };
  }

  const { ref } = item;
  const { version, parsed, sizeBytes, sha256 } = read;
  const { connectorId, collectionId, type, sourceId: externalId } = item;
  const { mimeType } = parsed.metadata;
  const document = {
    title: titleOf(ref, parsed),
    content: parsed.text,
    type: documentType(mimeType),
    url: ref.url,
    metadata: metadataOf(read, ref),
    principals: [...(await principalsOf(ctx, source, item, signal))],
    pages: (parsed.pageWords ?? []).map(({ words, ...page }) => ({ ...page, words: Buffer.from(words) })),
  };
  const id = item.file?.documentId ?? null;
  // A sync that finds a changed item creates a deleted document again. An upload's own job does not.
  const write = () =>
    item.mode === 'incremental' && id !== null
      ? ctx.index.index(item.teamId, { id, ...document }, signal)
      : ctx.index.indexItem(item.teamId, { connectorId, collectionId, source: type, externalId, ...document }, signal);
  const index = async (): Promise<Outcome> => {
    // The next item is read and parsed in the meantime.
    slot.release();
    signal.throwIfAborted();
    if (!(await beginWriting(ctx, item))) throw new LeaseLost('The lease on the item was lost.');
    const documentId = await retryWhileUnavailable(write, signal);
    return { stage: 'indexed', documentId, version, checksum: `sha256:${sha256}`, mimeType, sizeBytes };
  };
  return ctx.texts.within(countedBytes(parsed.text), index, signal);
}

/**
 * Fetches, parses and indexes an item, and releases its slot after it was parsed. Every step can be
 * repeated: the last worker to finish wins.
 */
export function indexItem(ctx: Context, work: Omit<Work, 'source'>): Promise<Outcome> {
  return ctx.sources.use(work.item.connectorId, (source) => fetchAndIndex(ctx, { ...work, source }));
}
