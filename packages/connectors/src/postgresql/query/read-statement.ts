import {
  ALLOWED_FUNCTIONS,
  ALLOWED_IN_STORED,
  ALLOWED_OPERATORS,
  ALLOWED_TYPES,
  ALLOWED_VALUE_FUNCTIONS,
  ALLOWED_VALUES_IN_STORED,
  READABLE_TYPES,
} from './allowed.ts';
import type { Catalogue, ExtensionMember, RelationName, TypeName } from './catalogue.ts';
import { type Columns, joined, mayHave, orderedColumns, renamed } from './columns.ts';
import { cannotBeUsed, type Fields, isNothing, nodeOf, stringOf } from './fields.ts';
import { QueryError } from './query-error.ts';
import { type CteScope, findCte, isItem, itemsCalled, itemsOf, type LaterColumns, later, type Scope } from './scope.ts';

/** Maximum nesting of nodes in the parse tree. */
const MAX_DEPTH = 200;
const MAX_RELATIONS = 50;
const CATALOG = 'pg_catalog';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const EXPRESSION_KINDS = words(`
  AEXPR_OP AEXPR_OP_ANY AEXPR_OP_ALL AEXPR_DISTINCT AEXPR_NOT_DISTINCT AEXPR_NULLIF AEXPR_IN AEXPR_LIKE AEXPR_ILIKE AEXPR_SIMILAR
  AEXPR_BETWEEN AEXPR_NOT_BETWEEN AEXPR_BETWEEN_SYM AEXPR_NOT_BETWEEN_SYM`);
const BETWEEN = /^(?:NOT )?BETWEEN(?: SYMMETRIC)?$/;
const SUBLINKS = words('EXISTS_SUBLINK ALL_SUBLINK ANY_SUBLINK EXPR_SUBLINK ARRAY_SUBLINK');
const SET_OPERATIONS = words('SETOP_UNION SETOP_INTERSECT SETOP_EXCEPT');
const JOINS = words('JOIN_INNER JOIN_LEFT JOIN_FULL JOIN_RIGHT');
const GROUPING_SETS = words(
  'GROUPING_SET_EMPTY GROUPING_SET_SIMPLE GROUPING_SET_ROLLUP GROUPING_SET_CUBE GROUPING_SET_SETS',
);
const DIRECTIONS = words('SORTBY_DEFAULT SORTBY_ASC SORTBY_DESC SORTBY_USING');
const NULLS = words('SORTBY_NULLS_DEFAULT SORTBY_NULLS_FIRST SORTBY_NULLS_LAST');
const LIMITS = words('LIMIT_OPTION_DEFAULT LIMIT_OPTION_COUNT LIMIT_OPTION_WITH_TIES');
const BOOLEANS = words('AND_EXPR OR_EXPR NOT_EXPR');
const NULL_TESTS = words('IS_NULL IS_NOT_NULL');
const BOOLEAN_TESTS = words('IS_TRUE IS_NOT_TRUE IS_FALSE IS_NOT_FALSE IS_UNKNOWN IS_NOT_UNKNOWN');
const MIN_MAX = words('IS_GREATEST IS_LEAST');
const SYSTEM_COLUMNS = words('ctid xmin xmax cmin cmax tableoid oid');

/** The `typemod` of a type whose modifier the parser has not read yet. */
const NO_MODIFIER = -1;

export interface CheckOptions {
  /**
   * The only schema whose tables may be named; undefined for the owner's text, which may name
   * others.
   */
  readonly schema: string | undefined;
  /** True for text that the owner of the database wrote: views, policies, checks. */
  readonly stored: boolean;
}

/** A statement made of allowed parts, with the checks that need the catalogue. */
export interface ReadStatement {
  readonly relations: readonly RelationName[];
  /** The locations of tables without a schema, in UTF-8 bytes. */
  readonly unqualified: readonly number[];
  readonly functions: ReadonlySet<string>;
  /** The functions in FROM, which have columns. */
  readonly functionsInFrom: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** Types of other schemas that the owner's own text casts to. */
  readonly types: readonly TypeName[];
  /** Functions and operators of other schemas that the owner's own text calls; they have to be an extension's. */
  readonly ofExtensions: readonly ExtensionMember[];
  /** Resolves every qualified name. Throws `QueryError` for one that is not certainly a column. */
  resolve(catalogue: Catalogue): void;
}

export function readStatement(select: Fields, options: CheckOptions): ReadStatement {
  const reader = new StatementReader(options);
  const output = reader.select(select, undefined, undefined);
  const { relations, unqualified, functions, functionsInFrom, operators, types, ofExtensions, obligations } = reader;
  return {
    relations: [...relations.values()],
    unqualified,
    functions,
    functionsInFrom,
    operators,
    types: [...types.values()],
    ofExtensions: [...ofExtensions.values()],
    resolve: (catalogue) => {
      for (const check of obligations) check(catalogue);
      output(catalogue);
    },
  };
}

/**
 * Names of a function column, as PostgreSQL's FigureColname chooses them. Undefined if it could be
 * another one.
 */
function outputName(value: unknown): string | undefined {
  const { name, fields } = nodeOf(value);
  if (name === 'ColumnRef') {
    const last = fields.list('fields').at(-1);
    return last === undefined || nodeOf(last).name !== 'String' ? undefined : stringOf(last);
  }
  if (name === 'FuncCall') return fields.names('funcname').at(-1);
  if (name === 'TypeCast' || name === 'CollateClause') {
    const arg = fields.child('arg');
    return ['ColumnRef', 'FuncCall', 'TypeCast', 'CollateClause'].includes(nodeOf(arg).name)
      ? outputName(arg)
      : undefined;
  }
  return name === 'CoalesceExpr' ? 'coalesce' : undefined;
}

const isStar = (value: unknown): boolean => nodeOf(value).name === 'A_Star';

/** Reads one statement and rejects every node and every field that is unknown here. */
class StatementReader {
  readonly relations = new Map<string, RelationName>();
  readonly unqualified: number[] = [];
  readonly functions = new Set<string>();
  readonly functionsInFrom = new Set<string>();
  readonly operators = new Set<string>();
  readonly types = new Map<string, TypeName>();
  readonly ofExtensions = new Map<string, ExtensionMember>();
  readonly obligations: ((catalogue: Catalogue) => void)[] = [];
  readonly #options: CheckOptions;
  #depth = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  #within<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new QueryError('The query is nested too deeply.');
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  // --- SELECT ---

  select(statement: Fields, outer: Scope | undefined, ctes: CteScope | undefined): LaterColumns {
    return this.#within(() => this.#select(statement, outer, ctes));
  }

  #select(statement: Fields, outer: Scope | undefined, outerCtes: CteScope | undefined): LaterColumns {
    if (statement.has('intoClause')) throw new QueryError('SELECT INTO writes a table; leave INTO out.');
    if (statement.has('lockingClause')) throw new QueryError('FOR UPDATE and FOR SHARE lock rows; leave them out.');
    const ctes = this.#withClause(statement.struct('withClause'), outer, outerCtes);
    const scope: Scope = { items: [], outer };
    statement.oneOf('limitOption', LIMITS);
    const operation = statement.text('op') ?? '';
    const output =
      operation === 'SETOP_NONE'
        ? this.#plainSelect(statement, scope, ctes)
        : this.#setOperation(statement, operation, outer, ctes);
    this.#sorting(statement.list('sortClause'), scope, ctes);
    for (const key of ['limitOffset', 'limitCount']) this.#optional(statement.child(key), scope, ctes);
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
    const from = statement.list('fromClause').map((item) => this.#fromItem(item, scope, ctes));
    const targets = statement.list('targetList').map((target) => this.#target(target, scope, ctes, from));
    for (const item of statement.list('distinctClause')) if (!isNothing(item)) this.#expression(item, scope, ctes);
    for (const key of ['whereClause', 'havingClause']) this.#optional(statement.child(key), scope, ctes);
    statement.flag('groupDistinct');
    this.#all(statement.list('groupClause'), scope, ctes);
    for (const window of statement.list('windowClause')) {
      const { name, fields } = nodeOf(window);
      if (name !== 'WindowDef') throw cannotBeUsed(name);
      this.#window(fields, scope, ctes);
    }
    if (rows.length === 0)
      return later((catalogue) =>
        joined(
          targets.map((target) => target(catalogue)),
          false,
        ),
      );
    const widths = rows.map((row) => {
      const items = listItems(row);
      this.#all(items, scope, ctes);
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
      if (/^pg_/i.test(name)) throw new QueryError(`A query in WITH cannot be called ${name}: choose another name.`);
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
      // Each of them may name any of them, including itself.
      for (const { name } of list)
        known.set(
          name,
          later((catalogue) => this.#columnsOf(columns, name)(catalogue)),
        );
    }
    for (const { name, colnames, query } of list) {
      const before = recursive ? scope : { ctes: new Map(known), outer: outerCtes };
      const output = this.select(query, outer, before);
      const own = later((catalogue) => renamed(output(catalogue), colnames));
      columns.set(name, own);
      if (!recursive) known.set(name, own);
    }
    return scope;
  }

  #columnsOf(columns: ReadonlyMap<string, LaterColumns>, name: string): LaterColumns {
    const found = columns.get(name);
    if (found === undefined) throw new QueryError(`The WITH query ${name} cannot be resolved.`);
    return found;
  }

  /** One output item of a SELECT, as columns. */
  #target(value: unknown, scope: Scope, ctes: CteScope | undefined, from: readonly LaterColumns[]): LaterColumns {
    const { name: node, fields } = nodeOf(value);
    if (node !== 'ResTarget') throw cannotBeUsed(node);
    const name = fields.text('name');
    const expression = fields.child('val');
    fields.end();
    const star = this.#star(expression, scope, from);
    if (star !== undefined) return star;
    const own = name ?? outputName(expression);
    this.#expression(expression, scope, ctes);
    return () => orderedColumns([own]);
  }

  /** `*` and `t.*`. */
  #star(value: unknown, scope: Scope, from: readonly LaterColumns[]): LaterColumns | undefined {
    const { name, fields } = nodeOf(value);
    if (name !== 'ColumnRef') return undefined;
    const parts = fields.list('fields');
    const last = parts.at(-1);
    if (last === undefined || !isStar(last)) return undefined;
    fields.end();
    const qualifier = this.#qualifier(parts.slice(0, -1).map(stringOf));
    if (qualifier.length === 0)
      return later((catalogue) =>
        joined(
          from.map((columns) => columns(catalogue)),
          false,
        ),
      );
    const found = itemsCalled(scope, qualifier);
    return later((catalogue) => {
      const [first, ...others] = found.map(({ columns }) => columns(catalogue));
      return first !== undefined && others.length === 0 ? first : { names: new Set() };
    });
  }

  // --- FROM ---

  #fromItem(value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    return this.#within(() => {
      const { name, fields } = nodeOf(value);
      const columns = this.#fromNode(name, fields, value, scope, ctes);
      fields.end();
      return columns;
    });
  }

  #fromNode(name: string, fields: Fields, value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    switch (name) {
      case 'RangeVar':
        return this.#table(fields, value, scope, ctes);
      case 'RangeSubselect': {
        const lateral = fields.flag('lateral');
        const query = nodeOf(fields.child('subquery'));
        if (query.name !== 'SelectStmt') throw cannotBeUsed(query.name);
        const { alias, colnames } = readAlias(fields.struct('alias'));
        const output = this.select(query.fields, lateral ? scope : scope.outer, ctes);
        const columns = later((catalogue) => renamed(output(catalogue), colnames));
        scope.items.push({ alias, columns });
        return columns;
      }
      case 'RangeFunction':
        return this.#functionInFrom(fields, scope, ctes);
      case 'JoinExpr':
        return this.#join(fields, scope, ctes);
      default:
        throw cannotBeUsed(name);
    }
  }

  #table(fields: Fields, value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    const { schema: own, stored } = this.#options;
    if (fields.has('catalogname')) throw new QueryError('Another database cannot be named.');
    const schema = fields.text('schemaname');
    const name = fields.text('relname') ?? '';
    fields.flag('inh');
    fields.oneOf('relpersistence', words('p'));
    const { alias, colnames } = readAlias(fields.struct('alias'));
    const cte = schema === undefined ? findCte(ctes, name) : undefined;
    if (cte !== undefined) {
      const columns = later((catalogue) => renamed(cte(catalogue), colnames));
      scope.items.push({ alias: alias ?? name, columns });
      return columns;
    }
    if (own !== undefined && schema !== undefined && schema !== own) {
      throw new QueryError(`Only tables of the schema ${own} can be read, not ${schema}.${name}.`);
    }
    const of = schema ?? own;
    if (of === undefined || isSystemSchema(of) || (schema === undefined && /^pg_/.test(name))) {
      throw new QueryError(
        `The system table ${name} cannot be read. If you mean your own table of that name, write its schema before it.`,
      );
    }
    if (schema === undefined && !stored) this.unqualified.push(locationOf(value));
    const table: RelationName = { schema: of, name };
    this.relations.set(JSON.stringify([of, name]), table);
    if (this.relations.size > MAX_RELATIONS) throw new QueryError(`More than ${MAX_RELATIONS} tables cannot be read.`);
    const columns = later((catalogue) => renamed(catalogue.columnsOf(table), colnames));
    scope.items.push({ alias: alias ?? name, columns, ...(alias === undefined ? { table } : {}) });
    return columns;
  }

  #functionInFrom(fields: Fields, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    // PostgreSQL makes all preceding items visible, as with LATERAL.
    fields.flag('lateral');
    const ordinality = fields.flag('ordinality');
    fields.flag('is_rowsfrom');
    const { alias, colnames } = readAlias(fields.struct('alias'));
    const definitions = this.#columnDefinitions(fields.list('coldeflist'));
    const functions = fields.list('functions').map((item) => {
      const [call, columns, ...rest] = listItems(item);
      if (call === undefined || rest.length > 0) throw cannotBeUsed('RangeFunction');
      const { name } = nodeOf(call);
      const own = name === 'FuncCall' ? nodeOf(call).fields.names('funcname').at(-1) : undefined;
      // Its columns are read of PostgreSQL's own function of that name.
      if (name === 'FuncCall') unqualified(nodeOf(call).fields.names('funcname'), 'function');
      if (own !== undefined) this.functionsInFrom.add(own);
      this.#expression(call, scope, ctes);
      const defined = columns === undefined || isNothing(columns) ? [] : this.#columnDefinitions(listItems(columns));
      return { name: own, defined };
    });
    const columns = later((catalogue): Columns => {
      const [only, ...others] = functions;
      const single = others.length === 0 ? only : undefined;
      const defined = [...definitions, ...(single?.defined ?? [])];
      const of = (): readonly string[] | undefined => {
        if (defined.length > 0) return defined;
        const found = single?.name === undefined ? undefined : catalogue.functionColumns(single.name);
        return found === 'scalar' ? [alias ?? single?.name ?? ''] : found;
      };
      const ordered = of();
      if (ordered === undefined) return { names: new Set(colnames) };
      return renamed(orderedColumns(ordinality ? [...ordered, 'ordinality'] : ordered), colnames);
    });
    const [first] = functions;
    scope.items.push({ alias: alias ?? first?.name, columns });
    return columns;
  }

  #columnDefinitions(list: readonly unknown[]): readonly string[] {
    return list.map((item) => {
      const { name: node, fields } = nodeOf(item);
      if (node !== 'ColumnDef') throw cannotBeUsed(node);
      const name = fields.text('colname') ?? '';
      this.#type(fields.struct('typeName'));
      fields.flag('is_local');
      fields.end();
      return name;
    });
  }

  #join(fields: Fields, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    fields.oneOf('jointype', JOINS);
    const natural = fields.flag('isNatural');
    const using = fields.names('usingClause');
    const sides = ['larg', 'rarg'].map((key) => this.#fromItem(fields.child(key), scope, ctes));
    this.#optional(fields.child('quals'), scope, ctes);
    const { alias, colnames } = readAlias(fields.struct('alias'));
    const merged = readAlias(fields.struct('join_using_alias'));
    if (natural || using.length > 0) this.operators.add('=');
    const columns = later((catalogue) =>
      renamed(
        joined(
          sides.map((side) => side(catalogue)),
          natural || using.length > 0,
        ),
        colnames,
      ),
    );
    if (alias !== undefined) scope.items.push({ alias, columns });
    if (merged.alias !== undefined) {
      scope.items.push({ alias: merged.alias, columns: () => orderedColumns(using) });
    }
    return columns;
  }

  // --- Expressions ---

  #optional(value: unknown, scope: Scope, ctes: CteScope | undefined): void {
    if (value !== undefined) this.#expression(value, scope, ctes);
  }

  #all(values: readonly unknown[], scope: Scope, ctes: CteScope | undefined): void {
    for (const value of values) this.#expression(value, scope, ctes);
  }

  #expression(value: unknown, scope: Scope, ctes: CteScope | undefined): void {
    this.#within(() => {
      const { name, fields } = nodeOf(value);
      this.#node(name, fields, scope, ctes);
      fields.end();
    });
  }

  #node(name: string, fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const one = (key: string) => this.#optional(fields.child(key), scope, ctes);
    const many = (key: string) => this.#all(fields.list(key), scope, ctes);
    switch (name) {
      case 'A_Const':
        readConstant(fields);
        break;
      case 'ColumnRef':
        this.#column(fields, scope);
        break;
      case 'FuncCall':
        this.#call(fields, scope, ctes);
        break;
      case 'A_Expr':
        this.#operation(fields, scope, ctes);
        break;
      case 'A_Indirection':
        this.#indirection(fields, scope, ctes);
        break;
      case 'TypeCast':
        one('arg');
        this.#type(fields.struct('typeName'));
        break;
      case 'CollateClause':
        one('arg');
        unqualified(fields.names('collname'), 'collation');
        break;
      case 'BoolExpr':
        fields.oneOf('boolop', BOOLEANS);
        many('args');
        break;
      case 'NullTest':
        fields.oneOf('nulltesttype', NULL_TESTS);
        fields.flag('argisrow');
        one('arg');
        break;
      case 'BooleanTest':
        fields.oneOf('booltesttype', BOOLEAN_TESTS);
        one('arg');
        break;
      case 'CaseExpr':
        if (fields.has('arg')) this.operators.add('=');
        one('arg');
        many('args');
        one('defresult');
        break;
      case 'CaseWhen':
        one('expr');
        one('result');
        break;
      case 'CoalesceExpr':
        many('args');
        break;
      case 'MinMaxExpr':
        fields.oneOf('op', MIN_MAX);
        many('args');
        break;
      case 'RowExpr':
        fields.skip('row_format');
        many('args');
        break;
      case 'A_ArrayExpr':
        fields.skip('list_start', 'list_end');
        many('elements');
        break;
      case 'List':
        many('items');
        break;
      case 'NamedArgExpr':
        fields.text('name');
        fields.skip('argnumber');
        one('arg');
        break;
      case 'GroupingFunc':
        many('args');
        break;
      case 'GroupingSet':
        fields.oneOf('kind', GROUPING_SETS);
        many('content');
        break;
      case 'SQLValueFunction':
        this.#valueFunction(fields);
        break;
      case 'SubLink':
        this.#sublink(fields, scope, ctes);
        break;
      default:
        throw cannotBeUsed(name);
    }
  }

  #valueFunction(fields: Fields): void {
    const value = fields.text('op') ?? '';
    fields.int('typmod');
    if (ALLOWED_VALUE_FUNCTIONS.test(value)) return;
    if (this.#options.stored && ALLOWED_VALUES_IN_STORED.test(value)) return;
    throw new QueryError('Only dates and times, for example CURRENT_DATE, can be used without parentheses.');
  }

  #sublink(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    fields.oneOf('subLinkType', SUBLINKS);
    this.#optional(fields.child('testexpr'), scope, ctes);
    this.#operator(fields.names('operName'));
    const query = nodeOf(fields.child('subselect'));
    if (query.name !== 'SelectStmt') throw cannotBeUsed(query.name);
    this.select(query.fields, scope, ctes);
  }

  #operation(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const kind = fields.oneOf('kind', EXPRESSION_KINDS);
    const names = fields.names('name');
    if (!kind.includes('BETWEEN')) this.#operator(names);
    else if (names.length !== 1 || !BETWEEN.test(names[0] ?? '')) throw cannotBeUsed(names.join('.'));
    fields.skip('rexpr_list_start', 'rexpr_list_end');
    for (const key of ['lexpr', 'rexpr']) this.#optional(fields.child(key), scope, ctes);
  }

  #operator(names: readonly string[]): void {
    if (names.length === 0 || this.#isOfExtension('operator', names)) return;
    const name = unqualified(names, 'operator');
    if (!ALLOWED_OPERATORS.has(name)) throw new QueryError(`The operator ${name} cannot be used here.`);
    this.operators.add(name);
  }

  #call(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    this.#called(fields.names('funcname'));
    this.#all(fields.list('args'), scope, ctes);
    this.#sorting(fields.list('agg_order'), scope, ctes);
    this.#optional(fields.child('agg_filter'), scope, ctes);
    const over = fields.struct('over');
    if (over !== undefined) this.#window(over, scope, ctes);
    for (const flag of ['agg_within_group', 'agg_star', 'agg_distinct', 'func_variadic']) fields.flag(flag);
    fields.skip('funcformat');
  }

  #called(names: readonly string[]): void {
    if (this.#isOfExtension('function', names)) return;
    const name = unqualified(names, 'function');
    if (!ALLOWED_FUNCTIONS.has(name) && !(this.#options.stored && ALLOWED_IN_STORED.has(name))) {
      throw new QueryError(`The function ${name} cannot be used here.`);
    }
    this.functions.add(name);
  }

  /** Notes what the owner's own text calls of another schema; the catalogue decides. */
  #isOfExtension(kind: ExtensionMember['kind'], names: readonly string[]): boolean {
    const [schema = '', name = ''] = names;
    if (!this.#options.stored || names.length !== 2 || isSystemSchema(schema)) return false;
    this.ofExtensions.set(JSON.stringify([kind, ...names]), { kind, schema, name });
    return true;
  }

  #window(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    for (const key of ['name', 'refname']) fields.text(key);
    fields.int('frameOptions');
    this.#all(fields.list('partitionClause'), scope, ctes);
    this.#sorting(fields.list('orderClause'), scope, ctes);
    for (const key of ['startOffset', 'endOffset']) this.#optional(fields.child(key), scope, ctes);
    fields.end();
  }

  #sorting(list: readonly unknown[], scope: Scope, ctes: CteScope | undefined): void {
    for (const item of list) {
      const { name, fields } = nodeOf(item);
      if (name !== 'SortBy') throw cannotBeUsed(name);
      this.#optional(fields.child('node'), scope, ctes);
      fields.oneOf('sortby_dir', DIRECTIONS);
      fields.oneOf('sortby_nulls', NULLS);
      this.#operator(fields.names('useOp'));
      fields.end();
    }
  }

  #type(fields: Fields | undefined): void {
    if (fields === undefined) return;
    const names = fields.names('names');
    if (fields.has('pct_type')) throw new QueryError('%TYPE cannot be used.');
    if (fields.has('setof')) throw new QueryError('SETOF cannot be used.');
    if (fields.int('typemod') !== NO_MODIFIER) throw cannotBeUsed('typemod');
    for (const modifier of fields.list('typmods')) {
      const { name, fields: constant } = nodeOf(modifier);
      if (name !== 'A_Const') throw cannotBeUsed(name);
      readConstant(constant);
      constant.end();
    }
    for (const bound of fields.list('arrayBounds')) {
      const { name, fields: integer } = nodeOf(bound);
      if (name !== 'Integer') throw cannotBeUsed(name);
      integer.int('ival');
      integer.end();
    }
    fields.end();
    const [schema = '', name = ''] = names;
    if (this.#options.stored && names.length === 2 && !isSystemSchema(schema)) {
      this.types.set(JSON.stringify(names), { schema, name });
      return;
    }
    const own = unqualified(names, 'type');
    if (!(this.#options.stored ? READABLE_TYPES : ALLOWED_TYPES).has(own))
      throw new QueryError(
        `Values cannot be cast to ${own} here. Leave out the cast: text in quotes takes the type that it is compared with.`,
      );
  }

  // --- Names of columns ---

  /** The part of `schema.table.column` or `table.column` before the column. */
  #qualifier(parts: readonly string[]): readonly string[] {
    const { schema } = this.#options;
    if (parts.length > 2) throw new QueryError(`${parts.join('.')} names another database, which cannot be read.`);
    if (parts.length === 2 && schema !== undefined && parts[0] !== schema) {
      throw new QueryError(`Only tables of the schema ${schema} can be read, not ${parts.join('.')}.`);
    }
    return parts;
  }

  #column(fields: Fields, scope: Scope): void {
    const parts = fields.list('fields');
    const last = parts.at(-1);
    if (last === undefined) throw cannotBeUsed('ColumnRef');
    const qualifier = this.#qualifier(parts.slice(0, -1).map(stringOf));
    if (isStar(last)) {
      // In a function call or a row: the whole row.
      if (qualifier.length === 0) throw new QueryError('* cannot be used here.');
      itemsCalled(scope, qualifier);
      return;
    }
    const name = stringOf(last);
    if (SYSTEM_COLUMNS.has(name) && qualifier.length === 0) {
      this.obligations.push((catalogue) => {
        const known = itemsOf(scope).some(({ columns }) => columns(catalogue).names.has(name));
        if (!known) throw new QueryError(`The system column ${name} cannot be read.`);
      });
    }
    if (qualifier.length === 0) return;
    const items = itemsCalled(scope, qualifier);
    // PostgreSQL may mean any of them, so each must have the column: it would read any other name
    // as a function call.
    this.obligations.push((catalogue) => {
      if (items.every(({ columns }) => columns(catalogue).names.has(name))) return;
      throw new QueryError(
        `The column ${name} in ${qualifier.join('.')} does not exist, or the table is ambiguous. Name columns in WITH and subqueries with AS, and tables by different aliases.`,
      );
    });
  }

  /** Reads `a[1]`, and `(row).field` if that is certainly a field. */
  #indirection(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const arg = fields.child('arg');
    const steps = fields.list('indirection').map((step) => ({ step, ...nodeOf(step) }));
    this.#expression(arg, scope, ctes);
    for (const [at, { step, name, fields: own }] of steps.entries()) {
      if (name === 'A_Indices') {
        own.flag('is_slice');
        for (const key of ['lidx', 'uidx']) this.#optional(own.child(key), scope, ctes);
        own.end();
      } else if (at === 0 && (name === 'String' || name === 'A_Star')) {
        this.#field(arg, name === 'String' ? stringOf(step) : undefined, scope);
      } else {
        throw new QueryError('Only a column can have a field: (table.column).field.');
      }
    }
  }

  /** Checks that `(arg).field` is a column of an alias, or a field of a column that is a row. */
  #field(arg: unknown, field: string | undefined, scope: Scope): void {
    const refusal = new QueryError(
      `(…).${field ?? '*'} cannot be used: only a table, or a column that is a row, has fields.`,
    );
    const { name: node, fields } = nodeOf(arg);
    if (node !== 'ColumnRef') throw refusal;
    const parts = fields.list('fields').map(stringOf);
    const [column = ''] = parts.slice(-1);
    const qualifier = parts.slice(0, -1);
    const items = qualifier.length === 0 ? itemsOf(scope) : itemsCalled(scope, qualifier);
    this.obligations.push((catalogue) => {
      const all = items.map((item) => item.columns(catalogue));
      const having = all.filter((columns) => mayHave(columns, column));
      if (having.length === 0 && qualifier.length === 0 && isItem(scope, column)) {
        // No column has that name: PostgreSQL reads it as the whole row.
        const rows = itemsCalled(scope, [column]).map((item) => item.columns(catalogue));
        if (rows.every(({ names }) => field === undefined || names.has(field))) return;
        throw refusal;
      }
      const isField = ({ fields: of }: Columns): boolean => {
        const known = of?.get(column);
        return known !== undefined && (field === undefined || known.has(field));
      };
      if (having.length === 0 || !having.every(isField)) throw refusal;
    });
  }
}

const isSystemSchema = (schema: string): boolean => schema === 'information_schema' || /^pg_/.test(schema);

function locationOf(value: unknown): number {
  const at = Object.values(value as Record<string, { location?: unknown }>)[0]?.location;
  // The parser omits a location of 0.
  return typeof at === 'number' ? at : 0;
}

/** The items of a bare or named list. */
function listItems(value: unknown): readonly unknown[] {
  const { name, fields } = nodeOf(value);
  if (name !== 'List') throw cannotBeUsed(name);
  const items = fields.list('items');
  fields.end();
  return items;
}

function readAlias(alias: Fields | undefined): {
  readonly alias: string | undefined;
  readonly colnames: readonly string[];
} {
  if (alias === undefined) return { alias: undefined, colnames: [] };
  const name = alias.text('aliasname');
  const colnames = alias.names('colnames');
  alias.end();
  return { alias: name, colnames };
}

function readConstant(fields: Fields): void {
  for (const [key, read] of [
    ['ival', (value: Fields) => value.int('ival')],
    ['fval', (value: Fields) => value.text('fval')],
    ['sval', (value: Fields) => value.text('sval')],
    ['bsval', (value: Fields) => value.text('bsval')],
    ['boolval', (value: Fields) => value.flag('boolval')],
  ] as const) {
    const value = fields.struct(key);
    if (value === undefined) continue;
    read(value);
    value.end();
  }
  fields.flag('isnull');
}

function unqualified(names: readonly string[], what: string): string {
  const [last = ''] = names.slice(-1);
  if (names.length > 2 || (names.length === 2 && names[0] !== CATALOG)) {
    throw new QueryError(`The ${what} ${names.join('.')} cannot be used: only those built into PostgreSQL can.`);
  }
  return last;
}
