import { findAccount } from '#account/find-account';
import { createApi } from '#api/api';
import { searchAnswer } from '#api/records';
import { usageError } from '#cli-error';
import { searchedIn } from '#collection-ids';
import type { Command } from '#command';
import { EXIT } from '#exit-code';
import { markSpans } from '#output/mark-spans';
import { oneLine } from '#output/plain-text';

const MODES: readonly string[] = ['hybrid', 'keyword', 'semantic'];

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? '10');
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw usageError('--limit must be a whole number from 1 to 100.');
}

function filtersOf(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const filters: unknown = JSON.parse(text);
    if (typeof filters === 'object' && filters !== null && !Array.isArray(filters)) return { filters };
  } catch {
    // Told below.
  }
  throw usageError(`--filter must be a JSON object, for example '{"author": "Ada"}'.`);
}

export const search: Command = {
  name: 'search',
  summary: 'Search documents',
  usage: 'QUERY [--collection NAME|ID]… [--limit N] [--mode MODE] [--filter JSON]',
  options: {
    collection: { type: 'string', multiple: true },
    limit: { type: 'string' },
    mode: { type: 'string' },
    filter: { type: 'string' },
  },
  help: [
    ['--collection NAME|ID', 'where to search; may be given again'],
    ['--limit N', 'results, 10 unless said otherwise'],
    ['--mode MODE', 'hybrid, keyword or semantic'],
    ['--filter JSON', 'conditions on fields'],
  ],
  run: async (args, { env, output, signal }) => {
    const query = args.positionals.join(' ').trim();
    if (query === '') throw usageError('Say what to search for.');
    const mode = args.text('mode') ?? 'hybrid';
    if (!MODES.includes(mode)) throw usageError(`--mode must be one of ${MODES.join(', ')}.`);
    const limit = limitOf(args.text('limit'));
    const filters = filtersOf(args.text('filter'));
    const api = createApi(await findAccount(env), signal);
    const collections = await searchedIn(api, args.texts('collection'));
    const body = { query, mode, limit, ...collections, ...filters };
    const answer = await api.call('POST', '/api/v1/search', searchAnswer, { body });
    for (const [index, result] of answer.results.entries()) {
      const { title, url, collectionName, documentId, score, excerpt, highlights } = result;
      output.line(
        `${index + 1}. ${output.bold(oneLine(title))}  ${output.dim(`${score.toFixed(2)} · ${oneLine(collectionName)}`)}`,
      );
      output.line(`   ${output.dim(url === null ? documentId : oneLine(url))}`);
      output.line(`   ${markSpans(excerpt, highlights, output.bold)}\n`);
    }
    if (answer.results.length === 0) output.line('Nothing found.');
    output.json(answer);
    return EXIT.ok;
  },
};
