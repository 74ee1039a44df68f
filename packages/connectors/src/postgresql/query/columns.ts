import { QueryError } from './query-error.ts';

/** PostgreSQL's own limit of a row; it also bounds what `*` of `*` of … grows to. */
const MAX_COLUMNS = 1_664;

/**
 * The columns of something in FROM. `names` holds only what is certainly there: PostgreSQL takes `t.f` for the function call `f(t)`
 * where the column is missing.
 */
export interface Columns {
  readonly names: ReadonlySet<string>;
  /** All columns in their order, undefined for one whose name is not known; absent where the order or number is not known. */
  readonly ordered?: readonly (string | undefined)[];
  /** The fields of columns that are rows themselves. */
  readonly fields?: ReadonlyMap<string, ReadonlySet<string>>;
}

const isName = (name: string | undefined): name is string => name !== undefined;

export function orderedColumns(
  ordered: readonly (string | undefined)[],
  fields?: ReadonlyMap<string, ReadonlySet<string>>,
): Columns {
  if (ordered.length > MAX_COLUMNS) throw new QueryError(`The query has more than ${MAX_COLUMNS} columns.`);
  return { names: new Set(ordered.filter(isName)), ordered, ...(fields === undefined ? {} : { fields }) };
}

/** The columns under an alias such as `p (a, b)`, which renames the first ones. */
export function renamed(columns: Columns, colnames: readonly string[]): Columns {
  if (colnames.length === 0) return columns;
  // More names than columns are an error in PostgreSQL.
  if (columns.ordered === undefined) return { names: new Set(colnames) };
  return orderedColumns([...colnames, ...columns.ordered.slice(colnames.length)]);
}

/** The columns of several things side by side; a join that merges some of them has the names, in another order. */
export function joined(sides: readonly Columns[], merges: boolean): Columns {
  if (!merges && sides.every(({ ordered }) => ordered !== undefined)) {
    return orderedColumns(sides.flatMap(({ ordered }) => ordered ?? []));
  }
  return { names: new Set(sides.flatMap(({ names }) => [...names])) };
}

/** True where a column of that name cannot be ruled out. */
export const mayHave = ({ names, ordered }: Columns, name: string): boolean =>
  names.has(name) || ordered === undefined || ordered.includes(undefined);
