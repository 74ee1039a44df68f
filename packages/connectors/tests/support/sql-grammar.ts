import fc from 'fast-check';

type Text = fc.Arbitrary<string>;

const TABLES = ['people', 'orders', 'parts', 'grown', 'monthly', 'own_notes', 'events'];
const HOSTILE_TABLES = [
  'casting',
  'cast_whole',
  'trapped',
  'in_order',
  'calling',
  'nested_calling',
  'reading',
  'catalog',
  'policed',
  'denied',
  'passwords',
  'parted',
  'parent',
  'heir',
  'over_file',
  'programs',
  'secret.salaries',
  'pg_authid',
  'pg_catalog.pg_shadow',
  'pg_stat_activity',
  'information_schema.tables',
  'people_id_seq',
  'people_pkey',
  'pg_temp.people',
  'other.public.people',
];
const COLUMNS = 'id name born status address tags email nick person amount placed data parent street total month'.split(
  ' ',
);
const ALIASES = ['p', 'o', 'q', 'people', 'orders', 'x'];
/** Functions of one argument, which `value.function` could call. */
const CALLABLE = [
  ...['salary_of', 'leak', 'full_name', 'label', 'lower_name', 'whole_out', 'cast_out', 'checked', 'sneak', 'gather'],
  ...['pg_read_file', 'pg_ls_dir', 'pg_sleep', 'pg_stat_file', 'lo_import', 'nextval', 'pg_advisory_lock', 'version'],
  ...['dblink', 'dblink_exec', 'dblink_connect', 'query_to_xml', 'current_setting', 'set_config', 'pg_reload_conf'],
  ...['pg_terminate_backend', 'row_to_json', 'to_json', 'to_jsonb', 'lower', 'upper', 'abs', 'length', 'text', 'date'],
  ...[
    'pg_typeof',
    'pg_column_size',
    'quote_literal',
    'jsonb_typeof',
    'array_to_json',
    'count',
    'sum',
    'md5',
    'json_agg',
  ],
  ...['ctid', 'xmin', 'tableoid', 'pg_client_encoding', 'txid_current', 'pg_backend_pid', 'ts_stat', 'table_to_xml'],
];
const SAFE_FUNCTIONS = 'lower upper length abs md5 concat coalesce to_json count sum max round left'.split(' ');
const TYPES = 'text int4 integer numeric date jsonb bool varchar(5) interval timestamptz text[] daterange'.split(' ');
const HOSTILE_TYPES = [
  ...[
    'regclass',
    'regproc',
    'regtype',
    'xml',
    'oid',
    'name',
    'trap',
    'public.trap',
    'status',
    'public.status',
    'cast_row',
  ],
  ...[
    'people',
    'public.people',
    'people[]',
    'pg_catalog.regclass',
    '"char"',
    'citext',
    'people.name%TYPE',
    'tid',
    'record',
  ],
];
const OPERATORS = ['=', '<>', '+', '-', '||', '<', '->', '->>', '@>', '&&', '~', '%', 'OPERATOR(pg_catalog.=)'];
const HOSTILE_OPERATORS = [
  'OPERATOR(public.+)',
  '===',
  'OPERATOR(public.===)',
  'OPERATOR(public.=)',
  '<#',
  '=#',
  '<->',
];
const CONSTANTS = [
  '1',
  '0',
  '2.5',
  "'x'",
  "'2024-01-01'",
  'NULL',
  'true',
  '\'{"a": 1}\'',
  "E'\\x41'",
  "B'01'",
  '$$a$$',
];
const FILES = ["'/etc/hostname'", "'/etc/passwd'", "'people_id_seq'", "'dbname=postgres'", "'SELECT 1'", '3.0', '7001'];

const from = (...values: readonly string[]): Text => fc.constantFrom(...values);
const maybe = (text: Text, weight = 4): Text =>
  fc.oneof({ weight, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text });
/** Fills the gaps of a template: `t\`(${expression}).${name}\``. */
const t = (strings: TemplateStringsArray, ...gaps: readonly Text[]): Text =>
  fc.tuple(...gaps).map((values) => strings.reduce((text, part, at) => text + (values[at - 1] ?? '') + part));
const list = (text: Text, maxLength = 3): Text =>
  fc.array(text, { minLength: 1, maxLength }).map((items) => items.join(', '));
const mostly = (usual: Text, rare: Text, weight = 9): Text =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Another spelling of the same identifier. */
const spelled = (name: Text): Text =>
  fc.tuple(name, fc.nat(19)).map(([text, way]) => {
    if (!/^[a-z_]+$/.test(text)) return text;
    if (way === 0) return `"${text}"`;
    if (way === 1) return text.toUpperCase();
    if (way === 2) return `U&"\\${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}"`;
    if (way === 3) return `/* ; */ ${text}`;
    return text;
  });

const column = spelled(mostly(from(...COLUMNS), from(...CALLABLE), 12));
const alias = spelled(from(...ALIASES));
const table = spelled(mostly(from(...TABLES), from(...HOSTILE_TABLES), 14));
const type = mostly(from(...TYPES), from(...HOSTILE_TYPES), 10);
const operator = mostly(from(...OPERATORS), from(...HOSTILE_OPERATORS), 14);
const functionName = spelled(mostly(from(...SAFE_FUNCTIONS), from(...CALLABLE), 8));
const qualifiedFunction = fc.oneof(
  { weight: 12, arbitrary: functionName },
  { weight: 1, arbitrary: t`pg_catalog.${functionName}` },
  { weight: 1, arbitrary: t`public.${functionName}` },
);

const wild = fc.letrec<Record<'expression' | 'select' | 'item' | 'field' | 'statement', string>>((tie) => {
  const e = tie('expression');
  const s = tie('select');
  const item = tie('item');
  const columnRef = fc.oneof(
    { weight: 6, arbitrary: column },
    { weight: 8, arbitrary: t`${alias}.${column}` },
    { weight: 1, arbitrary: t`public.${table}.${column}` },
    { weight: 1, arbitrary: t`${alias}.${column}.${column}` },
    { weight: 2, arbitrary: alias },
    { weight: 1, arbitrary: t`a.public.${table}.${column}` },
  );
  const field = fc.oneof(
    t`(${e}).${column}`,
    t`(${alias}).${column}`,
    t`(${alias}.address).${mostly(from('street', 'zip'), from(...CALLABLE), 2)}`,
    t`(${from(...FILES)}::${type}).${spelled(from(...CALLABLE))}`,
    t`(${e}).*`,
    t`(${alias}.${column}).*`,
    t`(${e})[${e}]`,
    t`(${e})[1:2].${column}`,
    t`(ROW(${e})).${column}`,
    t`(ARRAY[${alias}])[1].${column}`,
    t`((${s})).${column}`,
    t`(${functionName}(${e})).${column}`,
  );
  const window = t`(${maybe(t`PARTITION BY ${e}`, 1)} ${maybe(t`ORDER BY ${e}`, 1)} ${maybe(t`ROWS BETWEEN ${e} PRECEDING AND CURRENT ROW`)})`;
  const args = fc.oneof(
    { weight: 8, arbitrary: list(e, 2) },
    { weight: 1, arbitrary: from('*', '') },
    { weight: 1, arbitrary: t`DISTINCT ${e}` },
    { weight: 1, arbitrary: t`VARIADIC ARRAY[${e}]` },
    { weight: 1, arbitrary: t`a => ${e}` },
    { weight: 1, arbitrary: t`${e} ORDER BY ${e}` },
    { weight: 1, arbitrary: t`${alias}.*` },
    { weight: 1, arbitrary: from(...FILES) },
  );
  const call = t`${qualifiedFunction}(${args})${maybe(t` WITHIN GROUP (ORDER BY ${e})`, 12)}${maybe(t` FILTER (WHERE ${e})`, 8)}${maybe(t` OVER ${window}`, 8)}`;
  const syntax = fc.oneof(
    t`EXTRACT(year FROM ${e})`,
    t`(${e}) AT TIME ZONE ${e}`,
    t`SUBSTRING(${e} FROM ${e})`,
    t`TRIM(both ${e} from ${e})`,
    t`POSITION(${e} IN ${e})`,
    t`OVERLAY(${e} PLACING ${e} FROM 1)`,
    t`NORMALIZE(${e})`,
    t`COLLATION FOR (${e})`,
    t`COALESCE(${list(e)})`,
    t`GREATEST(${list(e)})`,
    t`NULLIF(${e}, ${e})`,
    t`GROUPING(${e})`,
    from(
      'CURRENT_DATE',
      'CURRENT_TIMESTAMP(2)',
      'CURRENT_USER',
      'SESSION_USER',
      'CURRENT_SCHEMA',
      'USER',
      'CURRENT_CATALOG',
    ),
    t`JSON_OBJECT('a': ${e})`,
    t`JSON_VALUE(${e}, '$.a' RETURNING ${type})`,
    t`JSON_QUERY(${e}, '$')`,
    t`JSON_ARRAY(${e})`,
    t`JSON_SERIALIZE(${e})`,
    t`XMLELEMENT(name a, ${e})`,
    t`XMLPARSE(CONTENT ${e})`,
    t`${e} IS JSON`,
    t`${e} IS DOCUMENT`,
    t`${e} IS NORMALIZED`,
    t`(${e}) COLLATE ${from('"C"', 'pg_catalog."C"', 'public.mine')}`,
    t`$1`,
  );
  const condition = fc.oneof(
    t`(${e}) ${operator} (${e})`,
    t`(${e}) ${operator} ANY (${e})`,
    t`(${e}) ${operator} ALL (${s})`,
    t`(${e}) IN (${list(e)})`,
    t`(${e}) IN (${s})`,
    t`(${e}) NOT BETWEEN SYMMETRIC (${e}) AND (${e})`,
    t`(${e}) LIKE (${e}) ESCAPE '!'`,
    t`(${e}) SIMILAR TO (${e})`,
    t`(${e}) IS DISTINCT FROM (${e})`,
    t`(${e}, ${e}) ${from('=', '<', 'OVERLAPS')} (${e}, ${e})`,
    t`NOT (${e})`,
    t`(${e}) AND (${e})`,
    t`(${e}) IS NOT NULL`,
    t`(${e}) IS TRUE`,
    t`EXISTS (${s})`,
  );
  const expression = fc.oneof(
    { depthSize: 'medium', maxDepth: 3, withCrossShrink: true },
    { weight: 14, arbitrary: columnRef },
    { weight: 6, arbitrary: from(...CONSTANTS) },
    { weight: 3, arbitrary: field },
    { weight: 5, arbitrary: call },
    { weight: 3, arbitrary: t`(${e})::${type}` },
    { weight: 1, arbitrary: t`CAST(${e} AS ${type})` },
    { weight: 1, arbitrary: t`${type} 'x'` },
    { weight: 4, arbitrary: condition },
    { weight: 2, arbitrary: syntax },
    { weight: 1, arbitrary: t`CASE ${maybe(e, 2)} WHEN ${e} THEN ${e} ELSE ${e} END` },
    { weight: 1, arbitrary: t`ROW(${list(e)})` },
    { weight: 1, arbitrary: t`ARRAY[${list(e)}]` },
    { weight: 1, arbitrary: t`ARRAY(${s})` },
    { weight: 1, arbitrary: t`(${s})` },
  );
  const named = t`${maybe(from('AS '), 1)}${alias}${maybe(t` (${list(column)})`, 6)}`;
  const simpleItem = fc.oneof(
    { weight: 12, arbitrary: t`${table} ${named}` },
    { weight: 5, arbitrary: table },
    { weight: 1, arbitrary: t`ONLY ${table}` },
    { weight: 1, arbitrary: t`public.${table}` },
  );
  const fromItem = fc.oneof(
    { depthSize: 'medium', maxDepth: 2, withCrossShrink: true },
    { weight: 12, arbitrary: simpleItem },
    { weight: 2, arbitrary: t`(${s}) ${named}` },
    { weight: 1, arbitrary: t`LATERAL (${s}) ${named}` },
    { weight: 2, arbitrary: t`${qualifiedFunction}(${args}) ${maybe(from('WITH ORDINALITY'), 3)} ${named}` },
    { weight: 1, arbitrary: t`generate_series(1, 2) ${maybe(named, 1)}` },
    { weight: 1, arbitrary: t`unnest(ARRAY[${alias}, ${e}]) ${spelled(from(...CALLABLE))}` },
    { weight: 1, arbitrary: t`ROWS FROM (${functionName}(${args}), generate_series(1, 2)) AS ${named}` },
    { weight: 1, arbitrary: t`jsonb_to_recordset(${e}) AS ${alias} (${column} ${type})` },
    { weight: 2, arbitrary: t`${item} ${from('LEFT ', '', 'FULL ')}JOIN ${item} ON ${e}` },
    { weight: 1, arbitrary: t`${item} JOIN ${item} USING (${column})${maybe(t` AS ${alias}`)}` },
    { weight: 1, arbitrary: t`${item} NATURAL JOIN ${item}` },
    { weight: 1, arbitrary: t`(${item} CROSS JOIN ${item}) AS ${alias}` },
    { weight: 1, arbitrary: t`(VALUES (${list(e)})) ${named}` },
    { weight: 1, arbitrary: t`${table} TABLESAMPLE ${from('system', 'bernoulli', 'leak')} (${e})` },
    { weight: 1, arbitrary: t`XMLTABLE('/a' PASSING ${e} COLUMNS a text PATH ${e}) ${named}` },
    { weight: 1, arbitrary: t`JSON_TABLE(${e}, '$' COLUMNS (a ${type} PATH '$.a')) ${named}` },
  );
  const target = fc.oneof(
    { weight: 10, arbitrary: e },
    { weight: 4, arbitrary: t`${e} AS ${column}` },
    { weight: 2, arbitrary: from('*') },
    { weight: 2, arbitrary: t`${alias}.*` },
  );
  const cte = t`${spelled(mostly(from(...ALIASES), from('pg_authid', 'salary_of')))}${maybe(t` (${list(column)})`, 3)} AS ${from('', 'MATERIALIZED ')}(${mostly(s, from('DELETE FROM people RETURNING *', "UPDATE people SET name = 'x' RETURNING id"), 12)})${maybe(t` SEARCH DEPTH FIRST BY ${column} SET ${column}`, 20)}`;
  const group = fc.oneof(e, from('1', '()'), t`ROLLUP (${list(e)})`, t`GROUPING SETS ((${e}), ())`);
  const order = t`${e}${mostly(from('', ' DESC', ' NULLS FIRST'), t` USING ${operator}`)}`;
  const plain = t`SELECT ${maybe(from('DISTINCT ', 'DISTINCT ON (id) '))}${list(target)}${maybe(from(' INTO x', ' INTO TEMP x'), 40)} FROM ${list(item, 2)}${maybe(t` WHERE ${e}`, 1)}${maybe(t` GROUP BY ${list(group, 2)}`)}${maybe(t` HAVING ${e}`, 8)}${maybe(t` WINDOW w AS ${window}`, 8)}${maybe(t` ORDER BY ${list(order, 2)}`, 3)}${maybe(t` LIMIT ${e}`, 6)}${maybe(from(' FOR UPDATE', ' FOR SHARE'), 40)}`;
  const select = fc.oneof(
    { depthSize: 'medium', maxDepth: 2, withCrossShrink: true },
    { weight: 12, arbitrary: plain },
    { weight: 3, arbitrary: t`SELECT ${list(target)}` },
    { weight: 3, arbitrary: t`WITH ${maybe(from('RECURSIVE '), 2)}${list(cte, 2)} ${s}` },
    { weight: 2, arbitrary: t`${plain} ${from('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT')} ${plain}` },
    { weight: 1, arbitrary: t`(${s}) UNION (${s}) ORDER BY ${order}` },
    { weight: 1, arbitrary: t`VALUES (${list(e)})` },
    { weight: 1, arbitrary: t`TABLE ${table}` },
  );
  const around = fc.oneof(
    { weight: 60, arbitrary: s },
    { weight: 1, arbitrary: t`${s};` },
    { weight: 1, arbitrary: t`${s} -- ${from('x', '\n')}` },
    { weight: 1, arbitrary: t`${s}; ${s}` },
    { weight: 1, arbitrary: t`EXPLAIN ${from('', 'ANALYZE ')}${s}` },
    { weight: 1, arbitrary: t`PREPARE y AS ${s}` },
    { weight: 1, arbitrary: t`CREATE TEMP TABLE y AS ${s}` },
    { weight: 1, arbitrary: t`COPY (${s}) TO PROGRAM 'touch /tmp/lectern-canary-copy'` },
    { weight: 1, arbitrary: t`DECLARE c CURSOR WITH HOLD FOR ${s}` },
    { weight: 1, arbitrary: t`DO $do$BEGIN PERFORM 1; ${s}; END$do$` },
  );
  return { expression, select, item: fromItem, field, statement: around };
});

/**
 * Realistic queries with matching types on the tables `p` and `o`. Most of them run, so that an
 * attack hidden in one of their gaps would run too.
 */
const likely = fc.letrec<Record<'text' | 'number' | 'truth' | 'any' | 'query' | 'statement', string>>((tie) => {
  const text = tie('text');
  const number = tie('number');
  const truth = tie('truth');
  const any = tie('any');
  const query = tie('query');
  const callable = spelled(from(...CALLABLE));
  const hidden = fc.oneof(
    { weight: 6, arbitrary: t`${alias}.${callable}` },
    { weight: 3, arbitrary: t`(${alias}).${callable}` },
    { weight: 2, arbitrary: t`(${any}).${callable}` },
    { weight: 2, arbitrary: t`(${from(...FILES)}::${from(...TYPES)}).${callable}` },
    { weight: 2, arbitrary: t`(${alias}.${column}).${callable}` },
    { weight: 1, arbitrary: t`(${query}).${callable}` },
    { weight: 1, arbitrary: t`public.${table}.${callable}` },
    { weight: 1, arbitrary: t`${qualifiedFunction}(${any})` },
    { weight: 1, arbitrary: t`${any}::${from(...HOSTILE_TYPES)}` },
    { weight: 1, arbitrary: t`(${any}) ${from(...HOSTILE_OPERATORS)} (${any})` },
    { weight: 1, arbitrary: t`(${any} ${operator} ANY (${query}))` },
    { weight: 1, arbitrary: t`(${any} OPERATOR(public.=) ANY (${query}))` },
    { weight: 1, arbitrary: wild.field },
    { weight: 1, arbitrary: wild.expression },
  );
  const gap = { weight: 1, arbitrary: hidden };
  const depth = { depthSize: 'small', maxDepth: 3, withCrossShrink: true } as const;
  const texts = fc.oneof(
    depth,
    {
      weight: 12,
      arbitrary: from('p.name', "o.data->>'color'", 'p.status::text', '(p.address).street', 'p.nick', "'x'"),
    },
    gap,
    { weight: 2, arbitrary: t`lower(${text})` },
    { weight: 1, arbitrary: t`(${text} || ${text})` },
    { weight: 1, arbitrary: t`(${number})::text` },
    { weight: 1, arbitrary: t`concat(${any}, ${any})` },
    { weight: 1, arbitrary: t`coalesce(${text}, ${text})` },
    { weight: 1, arbitrary: t`CASE WHEN ${truth} THEN ${text} ELSE ${text} END` },
    { weight: 1, arbitrary: t`(SELECT max(${text}))` },
    { weight: 1, arbitrary: t`to_json(${any})::text` },
    { weight: 1, arbitrary: t`substring(${text} FROM 1 FOR 2)` },
  );
  const numbers = fc.oneof(
    depth,
    { weight: 12, arbitrary: from('p.id', 'o.amount', 'o.person', '1', "(o.data->>'n')::int") },
    gap,
    { weight: 2, arbitrary: t`abs(${number})` },
    { weight: 1, arbitrary: t`(${number} + ${number})` },
    { weight: 1, arbitrary: t`length(${text})` },
    { weight: 1, arbitrary: t`(SELECT count(*) FROM orders o WHERE ${truth})` },
    { weight: 1, arbitrary: t`(SELECT p.amount FROM orders p WHERE p.id = ${number} LIMIT 1)` },
    { weight: 1, arbitrary: t`(count(*) OVER (ORDER BY ${any}))` },
    { weight: 1, arbitrary: t`EXTRACT(year FROM p.born)` },
    { weight: 1, arbitrary: t`greatest(${number}, ${number})` },
  );
  const truths = fc.oneof(
    depth,
    {
      weight: 4,
      arbitrary: from('true', 'p.id = o.person', "p.status = 'active'", "p.name LIKE 'P%'", "'vip' = ANY (p.tags)"),
    },
    gap,
    { weight: 2, arbitrary: t`(${number} ${from('=', '<', '>=', 'IS DISTINCT FROM')} ${number})` },
    { weight: 1, arbitrary: t`(${text} ~* ${text})` },
    { weight: 1, arbitrary: t`(NOT ${truth})` },
    { weight: 1, arbitrary: t`(${truth} OR ${truth})` },
    { weight: 1, arbitrary: t`(${number} BETWEEN ${number} AND ${number})` },
    { weight: 1, arbitrary: t`(${number} IN (${number}, ${number}))` },
    { weight: 1, arbitrary: t`EXISTS (${query})` },
    { weight: 1, arbitrary: t`((${text}, ${number}) = (${text}, ${number}))` },
  );
  const anything = fc.oneof(
    depth,
    { weight: 4, arbitrary: texts },
    { weight: 4, arbitrary: numbers },
    { weight: 2, arbitrary: truths },
    { weight: 2, arbitrary: from('p', 'o', 'p.tags', 'p.born', 'p.email', 'p.address', 'o.data', 'p.*') },
    gap,
  );
  // Some of these change what p and o mean, or which columns they have.
  const frame = fc.oneof(
    { weight: 8, arbitrary: from('people p JOIN orders o ON o.person = p.id', 'public.people AS p, orders AS o') },
    { weight: 2, arbitrary: t`people p JOIN LATERAL (SELECT * FROM orders i WHERE i.person = p.id) o ON ${truth}` },
    {
      weight: 2,
      arbitrary: from('(SELECT * FROM people) p, (TABLE orders) o', '(SELECT * FROM people p) p CROSS JOIN orders o'),
    },
    { weight: 1, arbitrary: t`people p LEFT JOIN orders o ON ${truth}` },
    { weight: 1, arbitrary: t`people p JOIN orders o USING (id) AS q` },
    { weight: 1, arbitrary: t`people p, orders o, jsonb_each_text(o.data) AS x` },
    { weight: 1, arbitrary: t`people p, orders o, unnest(ARRAY[${any}]) AS ${callable}` },
    { weight: 1, arbitrary: t`people p (${column}, ${callable}), orders o` },
    { weight: 1, arbitrary: t`(SELECT *, name AS ${callable} FROM people) p, orders o` },
    { weight: 1, arbitrary: t`people p, orders o, (SELECT ${any} AS ${callable}) AS x` },
    { weight: 1, arbitrary: t`people p, orders o, (SELECT p.${callable} FROM orders p) AS x` },
    { weight: 1, arbitrary: t`people p, orders o, LATERAL (SELECT p.${column}, o.${column}) AS x` },
    { weight: 1, arbitrary: t`people p, orders o, ${table} x` },
    { weight: 1, arbitrary: t`people p, orders o, ${from(...SAFE_FUNCTIONS)}(${any}) AS ${callable}` },
  );
  const with_ = maybe(
    fc.oneof(
      from(
        'WITH q AS (SELECT * FROM people) ',
        'WITH people AS (SELECT * FROM people), x (id) AS (SELECT id FROM orders) ',
      ),
      t`WITH RECURSIVE x (n) AS (SELECT ${number} FROM people p, orders o UNION SELECT x.n + 1 FROM x WHERE x.n < 3) `,
      t`WITH o AS (SELECT p.* FROM people p), p AS (SELECT ${callable}.id FROM orders ${callable}) `,
      t`WITH p (${callable}) AS (SELECT id FROM people) `,
    ),
    6,
  );
  const select = t`SELECT ${list(any, 2)}${maybe(t`, sum(${number}) OVER (PARTITION BY ${any} ORDER BY ${any})`)} FROM ${frame}${maybe(t` WHERE ${truth}`, 1)}${maybe(t` ORDER BY ${any}`, 2)} LIMIT 3`;
  const grouped = t`SELECT ${text}, count(*)${maybe(t` FILTER (WHERE ${truth})`, 2)}, max(${text} ORDER BY ${any}) FROM ${frame} GROUP BY 1${maybe(t` HAVING max(${number}) > 0`, 2)}`;
  const union = t`SELECT ${text} FROM ${frame} ${from('UNION', 'EXCEPT', 'UNION ALL')} SELECT ${text} FROM ${frame}`;
  return {
    text: texts,
    number: numbers,
    truth: truths,
    any: anything,
    query: t`SELECT ${any} FROM ${mostly(from('orders x', 'people x', 'orders p'), table)} LIMIT 1`,
    statement: t`${with_}${fc.oneof({ weight: 5, arbitrary: select }, { weight: 1, arbitrary: grouped }, { weight: 1, arbitrary: union })}`,
  };
});

/**
 * Realistic and unrealistic statements of PostgreSQL's grammar, with names that could call
 * functions.
 */
export const sqlStatement: Text = fc.oneof(
  { weight: 3, arbitrary: likely.statement },
  { weight: 1, arbitrary: wild.statement },
);
