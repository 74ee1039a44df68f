import { join } from 'node:path';
import { startPostgres } from '@lectern/local-engines';
import pg from 'pg';
import { z } from 'zod';
import type { Corpus, CorpusDocument } from '#corpus/corpus';
import { createTemporaryHome } from '#system/temporary-home';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/** Documents per INSERT. */
const BATCH = 500;
/** The maximum number of connections. More clients queue, as in Lectern. */
const CONNECTIONS = 16;
const TIMEOUT_MS = 60_000;

const SCHEMA = `
  CREATE TABLE documents (
    id text PRIMARY KEY,
    words tsvector NOT NULL
  )`;
const INSERT = `
  INSERT INTO documents (id, words)
  SELECT id, setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'D')
  FROM unnest($1::text[], $2::text[], $3::text[]) AS new_rows (id, title, text)`;
/**
 * Matches any word, because a full question would find nothing otherwise. Weights for D, C, B, A:
 * titles count twice. Normalization 1 divides by 1 + the logarithm of the length.
 */
const SEARCH = `
  SELECT id FROM documents, CAST(replace(plainto_tsquery('english', $1)::text, '&', '|') AS tsquery) AS query
  WHERE words @@ query
  ORDER BY ts_rank('{0.5, 0.5, 0.5, 1}', words, query, 1) DESC, id
  LIMIT ${RESULTS}`;

const rowsSchema = z.array(z.object({ id: z.string() }));

/** The default of PostgreSQL. Lectern's own server has less, because it answers no searches. */
const SHARED_BUFFERS = '128MB';

/**
 * PostgreSQL full-text search: English, GIN index, on a separate server with the settings of
 * Lectern's, apart from the size of its page cache.
 */
export async function postgresTarget({ documents }: Corpus, signal: AbortSignal): Promise<SearchTarget> {
  const home = await createTemporaryHome();
  try {
    const server = await startPostgres({
      dataDir: join(home.path, 'postgres'),
      sharedBuffers: SHARED_BUFFERS,
      signal,
    });
    const pool = new pg.Pool({ connectionString: server.url, max: CONNECTIONS, query_timeout: TIMEOUT_MS });
    // Connections fail when the server stops. A pending query rejects by itself.
    pool.on('error', () => undefined);
    const close = async () => {
      await pool.end();
      await server.stop();
      await home.remove();
    };
    try {
      await fill(pool, documents, signal);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      name: 'PostgreSQL full text',
      isPeer: true,
      async search({ text }) {
        const { rows } = await pool.query({ name: 'search', text: SEARCH, values: [text] });
        return rowsSchema.parse(rows).map(({ id }) => id);
      },
      close,
    };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

async function fill(pool: pg.Pool, documents: readonly CorpusDocument[], signal: AbortSignal): Promise<void> {
  await pool.query(SCHEMA);
  for (let at = 0; at < documents.length; at += BATCH) {
    signal.throwIfAborted();
    const batch = documents.slice(at, at + BATCH);
    const column = (name: 'id' | 'title' | 'text') => batch.map((document) => document[name]);
    await pool.query(INSERT, [column('id'), column('title'), column('text')]);
  }
  // Building the index at the end is faster and makes it smaller.
  await pool.query('CREATE INDEX documents_words ON documents USING gin (words)');
  await pool.query('VACUUM ANALYZE documents');
}
