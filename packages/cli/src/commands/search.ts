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

const SORTS = ['relevance', 'newest', 'oldest'] as const;

const INDENT = '   ';

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

function printResults({ results, didYouMean }: Data<'searchDocuments'>, output: Output): void {
  if (didYouMean !== null) output.line(`Did you mean: ${oneLine(didYouMean)}?\n`);
  for (const [index, result] of results.entries()) {
    const { title, url, collectionName, documentId, relevance, excerpt, highlights, duplicateCount, synonyms } = result;
    const rank = result.pinned ? 'pinned' : `relevance ${Math.round(relevance * 100)}%`;
    output.paragraph(
      `${output.bold(oneLine(title))}  ${output.dim(`${rank} · ${oneLine(collectionName)}`)}`,
      INDENT,
      `${index + 1}. `,
    );
    output.line(`   ${output.dim(url === null ? documentId : oneLine(url))}`);
    output.paragraph(markSpans(excerpt, highlights, output.bold), INDENT);
    if (synonyms.length > 0) {
      const pairs = synonyms.map(({ from, to }) => oneLine(`${from} → ${to}`));
      output.paragraph(output.dim(`synonyms: ${pairs.join(', ')}`), INDENT);
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
  parameters: [{ syntax: '<query...>', description: 'the words to search for' }],
  options: [
    { syntax: '--collection <name|id>', description: 'search this collection; repeatable' },
    { syntax: '--limit <n>', description: 'the number of results, 1–100 (default: 10)' },
    { syntax: '--mode <mode>', description: 'how to search (default: hybrid)', choices: MODES },
    { syntax: '--sort <order>', description: 'the order of the results (default: relevance)', choices: SORTS },
    { syntax: '--filter <json>', description: 'conditions on fields' },
    { syntax: '--min-relevance <n>', description: 'only documents with at least this relevance, 0–1' },
    { syntax: '--collapse', description: 'show documents with nearly the same text as one result' },
    {
      syntax: '--recent <days>',
      description: 'prefer recent documents; half of the preference is lost after this many days, 1–3650',
    },
  ],
  run: async (args, shell) => {
    const { output, signal } = shell;
    const query = args.positionals.join(' ').trim();
    if (query === '') throw usageError('The query is empty. Usage: lectern search QUERY');
    const options = {
      mode: MODES.find((mode) => mode === args.text('mode')) ?? 'hybrid',
      sort: SORTS.find((sort) => sort === args.text('sort')) ?? 'relevance',
      limit: parseLimit(args.text('limit')),
    };
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
