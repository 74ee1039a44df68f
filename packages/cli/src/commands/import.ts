import { basename, extname } from 'node:path';
import type { Lectern } from '@lectern/sdk';
import { CliError } from '#cli-error';
import type { Command } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { type DocumentLine, readDocumentLines } from '#files/document-lines';
import { ensureCollection } from '#files/upload-target';
import { plural } from '#output/plural';

/** A line that was not stored. */
interface Failure {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly failures: readonly Failure[];
}

const NOT_A_DOCUMENT = {
  code: 'invalid_request',
  message: 'The line is not a JSON object with the texts title and content.',
};

async function storeBatch(
  lectern: Lectern,
  signal: AbortSignal,
  collectionId: string,
  lines: readonly DocumentLine[],
): Promise<Stored> {
  const valid = lines.flatMap(({ line, document }) => (document === undefined ? [] : [{ line, document }]));
  const failures = lines.flatMap(({ line, document }): Failure[] =>
    document === undefined ? [{ line, ...NOT_A_DOCUMENT }] : [],
  );
  if (valid.length === 0) return { created: 0, updated: 0, failures };
  const documents = valid.map(({ document }) => document);
  const { created, updated, results } = await lectern.documents.createBatch(collectionId, documents, { signal });
  const rejected = results.flatMap(({ error }, at): Failure[] =>
    error === null ? [] : [{ line: valid[at]?.line ?? 0, code: error.code, message: error.message }],
  );
  return { created, updated, failures: [...failures, ...rejected].sort((a, b) => a.line - b.line) };
}

/** `import` is reserved, so the constant has another name. */
export const importDocuments: Command = {
  name: 'import',
  summary: 'Create documents from a JSON Lines file',
  parameters: [{ syntax: '<file>', description: 'the JSON Lines file' }],
  options: [
    {
      syntax: '--collection <name|id>',
      description: 'the target collection, created if missing (default: the name of the file)',
    },
  ],
  note: 'Each line is a JSON object with title, content and optionally externalId, url, metadata, principals and source.',
  run: async (args, shell) => {
    const [file = ''] = args.positionals;
    const { output, signal } = shell;
    const lectern = await connectWithAccount(shell);
    const name = args.text('collection') ?? basename(file, extname(file));
    const batches = readDocumentLines(file);
    // Opens the file before a collection is created.
    let next = await batches.next().catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CliError(`The file cannot be opened: ${why}`, { cause });
    });
    const collection = await ensureCollection(lectern, name, shell);
    const failures: Failure[] = [];
    let created = 0;
    let updated = 0;
    for (; next.done !== true; next = await batches.next()) {
      const stored = await storeBatch(lectern, signal, collection.id, next.value);
      created += stored.created;
      updated += stored.updated;
      failures.push(...stored.failures);
      for (const { line, message } of stored.failures) output.note(`Line ${line}: ${message}`);
      output.draw(`Imported ${plural(created + updated, 'document')}`);
    }
    output.draw('');
    output.line(
      `Imported ${plural(created + updated, 'document')} (${created} created, ${updated} updated, ${failures.length} failed) to ${collection.name} (${collection.id}).`,
    );
    output.json({ collection: collection.id, created, updated, failures });
    return failures.length === 0 ? EXIT.ok : EXIT.incomplete;
  },
};
