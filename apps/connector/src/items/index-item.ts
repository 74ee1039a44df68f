import { join } from 'node:path';
import type { SourceContent } from '@lectern/connectors';
import type { ParsedDocument } from '@lectern/documents';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';
import { LeaseLost } from '../leases/hold-lease.ts';
import type { HeldItem } from './claim-item.ts';
import { documentType } from './document-type.ts';
import { type ItemHold, moveItem } from './item-machine.ts';
import { registerDocument } from './register-document.ts';
import { type Spooled, spoolContent } from './spool-content.ts';
import { withSpoolFolder } from './spool-folder.ts';

/** What became of an item that was worked to its end. */
export type Outcome =
  | {
      readonly stage: 'indexed';
      readonly version: string;
      readonly checksum: string;
      readonly mimeType: string;
      readonly sizeBytes: number;
    }
  | { readonly stage: 'skipped' }
  | { readonly stage: 'deleted' };

async function step(ctx: Context, item: ItemHold, to: 'collected' | 'parsed'): Promise<void> {
  if (!(await moveItem(ctx.db, item, to, { [to]: true }))) throw new LeaseLost('The item is not held any more.');
}

/** What a document says of its file; what its owner said of it stands above. */
function metadataOf(content: SourceContent, parsed: ParsedDocument, spooled: Spooled, author: string | undefined) {
  const { pages, mimeType } = parsed.metadata;
  const by = author ?? parsed.metadata.author;
  return {
    ...(by === undefined ? {} : { author: by }),
    ...(pages === undefined ? {} : { pages }),
    mimeType,
    sizeBytes: spooled.sizeBytes,
    fileName: content.fileName,
    ...content.metadata,
  };
}

function principalsOf(config: unknown): string[] {
  const { principals } = jsonObject(config);
  return Array.isArray(principals) ? principals.map(String) : ['public'];
}

async function collect(ctx: Context, item: HeldItem, folder: string, signal: AbortSignal) {
  return ctx.sources.use(item.connectorId, async (source) => {
    const content = await source.fetch({ signal }, item.ref);
    const limits = { maxBytes: ctx.config.MAX_FILE_BYTES, signal };
    return { content, spooled: await spoolContent(content, join(folder, 'content'), limits) };
  });
}

async function work(ctx: Context, item: HeldItem, folder: string, signal: AbortSignal): Promise<Outcome> {
  const { ref } = item;
  const { content, spooled } = await collect(ctx, item, folder, signal);
  await step(ctx, item, 'collected');
  const checksum = `sha256:${spooled.sha256}`;
  const version = content.version ?? ref.version ?? checksum;
  if (item.mode === 'auto' && (await isIndexed(ctx, item, version))) return { stage: 'skipped' };

  const hint = ref.mimeType === undefined ? {} : { mimeType: ref.mimeType };
  const parsed = await ctx.parser.parse({ path: spooled.path, fileName: content.fileName, ...hint }, { signal });
  await step(ctx, item, 'parsed');

  const id = await registerDocument(ctx, item, signal);
  if (id === undefined) return { stage: 'deleted' };
  const { mimeType } = parsed.metadata;
  await ctx.index.index(
    item.teamId,
    {
      id,
      title: parsed.title ?? ref.title,
      content: parsed.text,
      type: documentType(mimeType),
      url: ref.url,
      metadata: metadataOf(content, parsed, spooled, ref.author),
      principals: principalsOf(item.config),
    },
    signal,
  );
  return { stage: 'indexed', version, checksum, mimeType, sizeBytes: spooled.sizeBytes };
}

async function isIndexed(ctx: Context, item: HeldItem, version: string): Promise<boolean> {
  const { connectorId, sourceId } = item;
  const where = { connectorId, sourceId, removedAt: null, indexedVersion: version };
  return (await ctx.db.file.count({ where })) > 0;
}

/** Fetches an item, reads its text and has it indexed. Every step may be repeated: the last one to finish counts. */
export function indexItem(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<Outcome> {
  return withSpoolFolder((folder) => work(ctx, item, folder, signal));
}
