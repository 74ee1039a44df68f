import type { Catalogue } from './catalogue.ts';
import type { Columns } from './columns.ts';
import { QueryError } from './query-error.ts';

/** Columns that are known once the catalogue was read. */
export type LaterColumns = (catalogue: Catalogue) => Columns;

/** Computes once; refuses what needs itself. */
export function later(compute: LaterColumns): LaterColumns {
  let found: Columns | 'computing' | undefined;
  return (catalogue) => {
    if (found === 'computing') throw new QueryError('A query in WITH cannot be read: it needs its own columns.');
    if (found === undefined) {
      found = 'computing';
      found = compute(catalogue);
    }
    return found;
  };
}

/** Something in FROM that columns can be taken of. */
export interface FromItem {
  /** Undefined for a join without an alias, or a subquery without one. */
  readonly alias: string | undefined;
  /** Set for a table without an alias, which `schema.table.column` can name. */
  readonly table?: { readonly schema: string; readonly name: string };
  readonly columns: LaterColumns;
}

/** What the names in an expression can mean: the FROM of its SELECT, then those of the queries around it. */
export interface Scope {
  readonly items: FromItem[];
  readonly outer: Scope | undefined;
}

/** The queries in WITH that a FROM can name. */
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

/** Everything a scope and those around it hold; more than what PostgreSQL would look at, never less. */
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
  new QueryError(`There is no ${parts.join('.')} in FROM here. Name a table or alias of this query.`);

/** What a qualifier can mean. Throws `QueryError` where it means nothing. */
export function itemsCalled(scope: Scope, parts: readonly string[]): readonly FromItem[] {
  const found = itemsOf(scope).filter(isCalled(parts));
  if (found.length === 0) throw unknownTable(parts);
  return found;
}

export const isItem = (scope: Scope, name: string): boolean => itemsOf(scope).some(isCalled([name]));
