import { QueryError } from '#postgresql/query/query-error';

/** PostgreSQL's limit for a row. It also limits the expansion of nested `*`. */
const MAX_COLUMNS = 1_664;

/**
 * The columns of an item in FROM. `names` contains only columns that certainly exist: if the column
 * is missing, PostgreSQL reads `t.f` as the function call `f(t)`.
 */
export interface Columns {
  readonly names: ReadonlySet<string>;
  /**
   * All columns in order, undefined for one of unknown name; absent if the order or number is
   * unknown.
   */
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

/** Returns the columns under an alias, for example `p (a, b)`, which renames the first ones. */
export function renamed(columns: Columns, colnames: readonly string[]): Columns {
  if (colnames.length === 0) return columns;
  // More names than columns are an error in PostgreSQL.
  if (columns.ordered === undefined) return { names: new Set(colnames) };
  return orderedColumns([...colnames, ...columns.ordered.slice(colnames.length)]);
}

/**
 * Returns the columns of several items side by side. A join that merges some columns has the same
 * names in another order.
 */
export function joined(sides: readonly Columns[], merges: boolean): Columns {
  if (!merges && sides.every(({ ordered }) => ordered !== undefined)) {
    return orderedColumns(sides.flatMap(({ ordered }) => ordered ?? []));
  }
  return { names: new Set(sides.flatMap(({ names }) => [...names])) };
}

/** Returns true if a column of that name can exist. */
export const canHave = ({ names, ordered }: Columns, name: string): boolean =>
  names.has(name) || ordered === undefined || ordered.includes(undefined);
