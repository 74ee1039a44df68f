import type { Catalog } from '#postgresql/query/catalog';
import type { Columns } from '#postgresql/query/columns';
import { QueryError } from '#postgresql/query/query-error';

/** Columns that are computed once the catalog has been read. */
export type LaterColumns = (catalog: Catalog) => Columns;

/** Computes the columns once. Throws `QueryError` if they depend on themselves. */
export function later(compute: LaterColumns): LaterColumns {
  let found: Columns | 'computing' | undefined;
  return (catalog) => {
    if (found === 'computing')
      throw new QueryError('A WITH query cannot be resolved because it depends on its own columns.');
    if (found === undefined) {
      found = 'computing';
      found = compute(catalog);
    }
    return found;
  };
}

/** An item in FROM that has columns. */
export interface FromItem {
  /** Undefined for a join or a subquery without an alias. */
  readonly alias: string | undefined;
  /** Set for a table without an alias; `schema.table.column` can name it. */
  readonly table?: { readonly schema: string; readonly name: string };
  readonly columns: LaterColumns;
}

/**
 * The scope of names in an expression: the FROM of its SELECT, then those of the enclosing queries.
 */
export interface Scope {
  readonly items: FromItem[];
  readonly outer: Scope | undefined;
}

/** The WITH queries that a FROM can name. */
export interface CteScope {
  readonly ctes: ReadonlyMap<string, LaterColumns>;
  readonly outer: CteScope | undefined;
}

export function findCte(scope: CteScope | undefined, name: string): LaterColumns | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    const found = at.ctes.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns all items in a scope and its outer scopes: at least those that PostgreSQL would consider.
 */
export function itemsOf(scope: Scope): readonly FromItem[] {
  const items: FromItem[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) items.push(...at.items);
  return items;
}

const isCalled =
  (parts: readonly string[]) =>
  ({ alias, table }: FromItem): boolean => {
    const [last] = parts.slice(-1);
    if (parts.length === 1) return alias === last;
    return table !== undefined && table.schema === parts[0] && table.name === last;
  };

const unknownTable = (parts: readonly string[]) =>
  new QueryError(`${parts.join('.')} is not in FROM. Use a table or alias of this query.`);

/** Returns the items that a qualifier can refer to. Throws `QueryError` if there are none. */
export function itemsCalled(scope: Scope, parts: readonly string[]): readonly FromItem[] {
  const found = itemsOf(scope).filter(isCalled(parts));
  if (found.length === 0) throw unknownTable(parts);
  return found;
}

export const isItem = (scope: Scope, name: string): boolean => itemsOf(scope).some(isCalled([name]));
