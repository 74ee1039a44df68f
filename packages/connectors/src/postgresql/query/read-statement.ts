import type { Catalog, ExtensionMember, RelationName, TypeName } from '#postgresql/query/catalog';
import { joined, orderedColumns, renamed } from '#postgresql/query/columns';
import { cannotBeUsed, type Fields, isNothing, nodeOf, stringOf, words } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';
import { ExpressionReader } from '#postgresql/query/read-expression';
import { FromReader } from '#postgresql/query/read-from';
import { isStar, listItems, outputName } from '#postgresql/query/read-node';
import { type CteScope, itemsCalled, type LaterColumns, later, type Scope } from '#postgresql/query/scope';
import { type CheckOptions, StatementContext } from '#postgresql/query/statement-context';

const SET_OPERATIONS = words('SETOP_UNION SETOP_INTERSECT SETOP_EXCEPT');
const LIMITS = words('LIMIT_OPTION_DEFAULT LIMIT_OPTION_COUNT LIMIT_OPTION_WITH_TIES');

/** A statement made of allowed parts, with the checks that need the catalog. */
export interface ReadStatement {
  readonly relations: readonly RelationName[];
  /** The locations of tables without a schema, in UTF-8 bytes. */
  readonly unqualified: readonly number[];
  readonly functions: ReadonlySet<string>;
  /** The functions in FROM, which have columns. */
  readonly functionsInFrom: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** Types of other schemas in casts of the owner's SQL. */
  readonly types: readonly TypeName[];
  /**
   * Functions and operators of other schemas in the owner's SQL; they must belong to an extension.
   */
  readonly ofExtensions: readonly ExtensionMember[];
  /** Resolves every qualified name. Throws `QueryError` for one that is not certainly a column. */
  resolve(catalog: Catalog): void;
}

export function readStatement(select: Fields, options: CheckOptions): ReadStatement {
  const context = new StatementContext(options);
  const output = new StatementReader(context).select(select, undefined, undefined);
  const { relations, unqualified, functions, functionsInFrom, operators, types, ofExtensions, obligations } = context;
  return {
    relations: [...relations.values()],
    unqualified,
    functions,
    functionsInFrom,
    operators,
    types: [...types.values()],
    ofExtensions: [...ofExtensions.values()],
    resolve: (catalog) => {
      for (const check of obligations) check(catalog);
      output(catalog);
    },
  };
}

/** Reads SELECT statements and rejects every node and every field that is unknown here. */
class StatementReader {
  readonly #context: StatementContext;
  readonly #expressions: ExpressionReader;
  readonly #from: FromReader;

  constructor(context: StatementContext) {
    this.#context = context;
    this.#expressions = new ExpressionReader(context, this.select);
    this.#from = new FromReader(context, this.#expressions, this.select);
  }

  readonly select = (statement: Fields, outer: Scope | undefined, ctes: CteScope | undefined): LaterColumns =>
    this.#context.within(() => this.#select(statement, outer, ctes));

  #select(statement: Fields, outer: Scope | undefined, outerCtes: CteScope | undefined): LaterColumns {
    if (statement.has('intoClause')) throw new QueryError('SELECT INTO writes a table; leave INTO out.');
    if (statement.has('lockingClause'))
      throw new QueryError('FOR UPDATE and FOR SHARE are not allowed, because they lock rows. Remove them.');
    const ctes = this.#withClause(statement.struct('withClause'), outer, outerCtes);
    const scope: Scope = { items: [], outer };
    statement.oneOf('limitOption', LIMITS);
    const operation = statement.text('op') ?? '';
    const output =
      operation === 'SETOP_NONE'
        ? this.#plainSelect(statement, scope, ctes)
        : this.#setOperation(statement, operation, outer, ctes);
    this.#expressions.sorting(statement.list('sortClause'), scope, ctes);
    for (const key of ['limitOffset', 'limitCount']) this.#expressions.optional(statement.child(key), scope, ctes);
    statement.end();
    return output;
  }

  #setOperation(statement: Fields, operation: string, outer: Scope | undefined, ctes: CteScope | undefined) {
    if (!SET_OPERATIONS.has(operation)) throw cannotBeUsed(operation);
    statement.flag('all');
    const [left, right] = [statement.struct('larg'), statement.struct('rarg')];
    if (left === undefined || right === undefined) throw cannotBeUsed(operation);
    const columns = this.select(left, outer, ctes);
    this.select(right, outer, ctes);
    return columns;
  }

  #plainSelect(statement: Fields, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    const rows = statement.list('valuesLists');
    const from = statement.list('fromClause').map((item) => this.#from.read(item, scope, ctes));
    const targets = statement.list('targetList').map((target) => this.#target(target, scope, ctes, from));
    for (const item of statement.list('distinctClause'))
      if (!isNothing(item)) this.#expressions.expression(item, scope, ctes);
    for (const key of ['whereClause', 'havingClause']) this.#expressions.optional(statement.child(key), scope, ctes);
    statement.flag('groupDistinct');
    this.#expressions.all(statement.list('groupClause'), scope, ctes);
    for (const window of statement.list('windowClause')) {
      const { name, fields } = nodeOf(window);
      if (name !== 'WindowDef') throw cannotBeUsed(name);
      this.#expressions.window(fields, scope, ctes);
    }
    if (rows.length === 0)
      return later((catalog) =>
        joined(
          targets.map((target) => target(catalog)),
          false,
        ),
      );
    const widths = rows.map((row) => {
      const items = listItems(row);
      this.#expressions.all(items, scope, ctes);
      return items.length;
    });
    return () => orderedColumns(Array.from({ length: widths[0] ?? 0 }, (_, at) => `column${at + 1}`));
  }

  #withClause(clause: Fields | undefined, outer: Scope | undefined, outerCtes: CteScope | undefined) {
    if (clause === undefined) return outerCtes;
    const known = new Map<string, LaterColumns>();
    const recursive = clause.flag('recursive');
    const list = clause.list('ctes').map((item) => {
      const { name: node, fields } = nodeOf(item);
      if (node !== 'CommonTableExpr') throw cannotBeUsed(node);
      const name = fields.text('ctename') ?? '';
      // PostgreSQL's system tables start with pg_: a WITH query with such a name could be confused
      // with one.
      if (/^pg_/i.test(name)) throw new QueryError(`A WITH query cannot be named ${name}. Choose another name.`);
      const colnames = fields.names('aliascolnames');
      fields.oneOf('ctematerialized', words('CTEMaterializeDefault CTEMaterializeAlways CTEMaterializeNever'));
      const query = nodeOf(fields.child('ctequery'));
      if (query.name !== 'SelectStmt') throw cannotBeUsed(query.name);
      fields.end();
      return { name, colnames, query: query.fields };
    });
    clause.end();
    const scope: CteScope = { ctes: known, outer: outerCtes };
    const columns = new Map<string, LaterColumns>();
    if (recursive) {
      // Each query can refer to any of them, including itself.
      for (const { name } of list)
        known.set(
          name,
          later((catalog) => this.#columnsOf(columns, name)(catalog)),
        );
    }
    for (const { name, colnames, query } of list) {
      const before = recursive ? scope : { ctes: new Map(known), outer: outerCtes };
      const output = this.select(query, outer, before);
      const cteColumns = later((catalog) => renamed(output(catalog), colnames));
      columns.set(name, cteColumns);
      if (!recursive) known.set(name, cteColumns);
    }
    return scope;
  }

  #columnsOf(columns: ReadonlyMap<string, LaterColumns>, name: string): LaterColumns {
    const found = columns.get(name);
    if (found === undefined) throw new QueryError(`The WITH query ${name} cannot be resolved.`);
    return found;
  }

  /** Returns one output item of a SELECT, as columns. */
  #target(value: unknown, scope: Scope, ctes: CteScope | undefined, from: readonly LaterColumns[]): LaterColumns {
    const { name: node, fields } = nodeOf(value);
    if (node !== 'ResTarget') throw cannotBeUsed(node);
    const name = fields.text('name');
    const expression = fields.child('val');
    fields.end();
    const star = this.#star(expression, scope, from);
    if (star !== undefined) return star;
    const columnName = name ?? outputName(expression);
    this.#expressions.expression(expression, scope, ctes);
    return () => orderedColumns([columnName]);
  }

  /** `*` and `t.*`. */
  #star(value: unknown, scope: Scope, from: readonly LaterColumns[]): LaterColumns | undefined {
    const { name, fields } = nodeOf(value);
    if (name !== 'ColumnRef') return undefined;
    const parts = fields.list('fields');
    const last = parts.at(-1);
    if (last === undefined || !isStar(last)) return undefined;
    fields.end();
    const qualifier = this.#context.qualifier(parts.slice(0, -1).map(stringOf));
    if (qualifier.length === 0)
      return later((catalog) =>
        joined(
          from.map((columns) => columns(catalog)),
          false,
        ),
      );
    const found = itemsCalled(scope, qualifier);
    return later((catalog) => {
      const [first, ...others] = found.map(({ columns }) => columns(catalog));
      return first !== undefined && others.length === 0 ? first : { names: new Set() };
    });
  }
}
