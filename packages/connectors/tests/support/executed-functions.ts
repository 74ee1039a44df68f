import type pg from 'pg';

/**
 * What PostgreSQL's own analysis of a statement contains: all functions, relations and kinds of
 * nodes.
 */
export interface Analysis {
  /** Functions called explicitly, with call or field notation. */
  readonly called: readonly string[];
  /** Functions and operators that are not built into PostgreSQL, as `kind name`. */
  readonly foreign: readonly string[];
  readonly relations: readonly number[];
  /** Kinds of nodes that no query may contain. */
  readonly nodes: readonly string[];
}

const FIRST_USER_OID = 16_384;
const EXPLICIT_CALL = '0';
const SQL_SYNTAX = '3';
const FORBIDDEN_NODES =
  /\{(TABLEFUNC|TABLESAMPLECLAUSE|XMLEXPR|JSONEXPR|JSONCONSTRUCTOREXPR|NEXTVALUEEXPR|ROWMARKCLAUSE|INTOCLAUSE|CURRENTOFEXPR)\b|PARAM :paramkind 0/g;
const FUNCTION_OIDS = /:(funcid|opfuncid|opno|aggfnoid|winfnoid|eqop|sortop) (\d+)/g;

const all = (text: string, pattern: RegExp): readonly RegExpExecArray[] => [...text.matchAll(pattern)];

/**
 * Creates a function that analyzes statements on a superuser's connection, without executing them.
 */
export async function createAnalyzer(client: pg.Client, searchPath: string) {
  const { rows } = await client.query<{ oid: string; proname: string }>('SELECT oid::text, proname FROM pg_proc');
  const names = new Map(rows.map(({ oid, proname }) => [oid, proname]));
  // Comparing values of an extension's type uses the extension's functions.
  const members = await client.query<{ oid: string }>(`SELECT objid::text AS oid FROM pg_depend WHERE deptype = 'e'
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'citext')`);
  const trusted = new Set(members.rows.map(({ oid }) => oid));
  await client.query(`SET search_path = ${searchPath}; SET log_min_messages = panic; SET debug_pretty_print = off`);
  await client.query('SET client_min_messages = log');
  let output: string[] = [];
  client.on('notice', ({ message, detail }) => output.push(`${message} ${detail ?? ''}`));
  return async (sql: string): Promise<Analysis | string> => {
    output = [];
    try {
      await client.query(`SET debug_print_parse = on; PREPARE analyzed AS ${sql}`);
    } catch (error) {
      return String(error);
    } finally {
      await client.query('SET debug_print_parse = off; DEALLOCATE ALL');
    }
    // The first tree is PREPARE itself.
    const trees = output.map((text) => text.replaceAll(/\s+/g, ' ')).filter((text) => / :commandType 1 /.test(text));
    const text = trees.join(' ');
    if (text === '') throw new Error('PostgreSQL printed no parse tree.');
    const functions = all(text, /:funcid (\d+) [^{}]*?:funcformat (\d)/g);
    const explicit = functions.filter((found) => found[2] === EXPLICIT_CALL || found[2] === SQL_SYNTAX);
    const special = all(text, /:(?:aggfnoid|winfnoid) (\d+)/g);
    return {
      called: [...explicit, ...special].map((found) => names.get(found[1] ?? '') ?? 'unknown'),
      foreign: all(text, FUNCTION_OIDS)
        .filter((found) => Number(found[2]) >= FIRST_USER_OID && !trusted.has(found[2] ?? ''))
        .map((found) => `${found[1]} ${names.get(found[2] ?? '') ?? found[2]}`),
      relations: all(text, /:relid ([1-9]\d*)/g).map((found) => Number(found[1])),
      nodes: all(text, FORBIDDEN_NODES).map(([found]) => found),
    };
  };
}
