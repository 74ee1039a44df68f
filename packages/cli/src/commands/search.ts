import type { Data } from '@lectern/sdk';
import { usageError } from '#cli-error';
import { searchScope } from '#collections';
import type { Command } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { markSpans } from '#output/mark-spans';
import type { Output } from '#output/output';
import { oneLine } from '#output/plain-text';

const MODES = ['hybrid', 'keyword', 'semantic'] as const;

function parseMode(text = 'hybrid'): (typeof MODES)[number] {
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) throw usageError(`--mode must be one of ${MODES.join(', ')}.`);
  return mode;
}

function parseLimit(text = '10'): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw usageError('--limit must be a whole number from 1 to 100.');
}

function parseFilters(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const filters: unknown = JSON.parse(text);
    if (typeof filters === 'object' && filters !== null && !Array.isArray(filters)) return { filters };
  } catch {
    // Reported below.
  }
  throw usageError(`--filter must be a JSON object, for example '{"author": "Ada"}'.`);
}

function parseRelevance(text: string | undefined): object {
  if (text === undefined) return {};
  const minScore = Number(text);
  if (text !== '' && minScore >= 0 && minScore <= 1) return { minScore };
  throw usageError('--min-relevance must be a number from 0 to 1.');
}

function parseRecency(text: string | undefined): object {
  if (text === undefined) return {};
  const halfLifeDays = Number(text);
  if (halfLifeDays >= 1 && halfLifeDays <= 3_650) return { recency: { halfLifeDays } };
  throw usageError('--recent must be a number of days from 1 to 3650.');
}

function printResults({ results }: Data<'searchDocuments'>, output: Output): void {
  for (const [index, result] of results.entries()) {
    const { title, url, collectionName, documentId, relevance, excerpt, highlights, duplicateCount, synonyms } = result;
    output.line(
      `${index + 1}. ${output.bold(oneLine(title))}  ${output.dim(`relevance ${Math.round(relevance * 100)}% · ${oneLine(collectionName)}`)}`,
    );
    output.line(`   ${output.dim(url === null ? documentId : oneLine(url))}`);
    output.line(`   ${markSpans(excerpt, highlights, output.bold)}`);
    if (synonyms.length > 0) {
      const pairs = synonyms.map(({ from, to }) => oneLine(`${from} → ${to}`));
      output.line(`   ${output.dim(`synonyms: ${pairs.join(', ')}`)}`);
    }
    if (duplicateCount > 0) {
      output.line(
        `   ${output.dim(`and ${duplicateCount} ${duplicateCount === 1 ? 'near-duplicate' : 'near-duplicates'}`)}`,
      );
    }
    output.line('');
  }
  if (results.length === 0) output.line('No documents match.');
}

export const search: Command = {
  name: 'search',
  summary: 'Search documents',
  usage:
    'QUERY [--collection NAME|ID]… [--limit N] [--mode MODE] [--filter JSON] [--min-relevance N] [--collapse] [--recent DAYS]',
  options: {
    collection: { type: 'string', multiple: true },
    limit: { type: 'string' },
    mode: { type: 'string' },
    filter: { type: 'string' },
    'min-relevance': { type: 'string' },
    collapse: { type: 'boolean' },
    recent: { type: 'string' },
  },
  help: [
    ['--collection NAME|ID', 'search this collection; repeatable'],
    ['--limit N', 'the number of results, 1–100 (default: 10)'],
    ['--mode MODE', 'hybrid (default), keyword or semantic'],
    ['--filter JSON', 'conditions on fields'],
    ['--min-relevance N', 'only documents with at least this relevance, 0–1'],
    ['--collapse', 'show documents with nearly the same text as one result'],
    ['--recent DAYS', 'prefer recent documents; half of the preference is lost after DAYS, 1–3650'],
  ],
  run: async (args, shell) => {
    const { output, signal } = shell;
    const query = args.positionals.join(' ').trim();
    if (query === '') throw usageError('The query is empty. Usage: lectern search QUERY');
    const options = { mode: parseMode(args.text('mode')), limit: parseLimit(args.text('limit')) };
    const filters = parseFilters(args.text('filter'));
    const collapse = args.flag('collapse') ? { collapse: 'duplicates' as const } : {};
    const minScore = parseRelevance(args.text('min-relevance'));
    const recency = parseRecency(args.text('recent'));
    const lectern = await connectWithAccount(shell);
    const scope = await searchScope(lectern, signal, args.texts('collection'));
    const found = await lectern.search.documents(
      { query, ...options, ...scope, ...filters, ...minScore, ...collapse, ...recency },
      { signal },
    );
    printResults(found, output);
    output.json(found);
    return EXIT.ok;
  },
};
