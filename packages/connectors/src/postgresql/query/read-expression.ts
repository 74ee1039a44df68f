import { cannotBeUsed, type Fields, nodeOf, stringOf, words } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';
import { readConstant, unqualified } from '#postgresql/query/read-node';
import type { CteScope, LaterColumns, Scope } from '#postgresql/query/scope';
import type { StatementContext } from '#postgresql/query/statement-context';

const EXPRESSION_KINDS = words(`
  AEXPR_OP AEXPR_OP_ANY AEXPR_OP_ALL AEXPR_DISTINCT AEXPR_NOT_DISTINCT AEXPR_NULLIF AEXPR_IN AEXPR_LIKE AEXPR_ILIKE AEXPR_SIMILAR
  AEXPR_BETWEEN AEXPR_NOT_BETWEEN AEXPR_BETWEEN_SYM AEXPR_NOT_BETWEEN_SYM`);
const BETWEEN = /^(?:NOT )?BETWEEN(?: SYMMETRIC)?$/;
const SUBLINKS = words('EXISTS_SUBLINK ALL_SUBLINK ANY_SUBLINK EXPR_SUBLINK ARRAY_SUBLINK');
const GROUPING_SETS = words(
  'GROUPING_SET_EMPTY GROUPING_SET_SIMPLE GROUPING_SET_ROLLUP GROUPING_SET_CUBE GROUPING_SET_SETS',
);
const DIRECTIONS = words('SORTBY_DEFAULT SORTBY_ASC SORTBY_DESC SORTBY_USING');
const NULLS = words('SORTBY_NULLS_DEFAULT SORTBY_NULLS_FIRST SORTBY_NULLS_LAST');
const BOOLEANS = words('AND_EXPR OR_EXPR NOT_EXPR');
const NULL_TESTS = words('IS_NULL IS_NOT_NULL');
const BOOLEAN_TESTS = words('IS_TRUE IS_NOT_TRUE IS_FALSE IS_NOT_FALSE IS_UNKNOWN IS_NOT_UNKNOWN');
const MIN_MAX = words('IS_GREATEST IS_LEAST');

/** Reads a SELECT inside another statement and returns its columns. */
export type SelectReader = (statement: Fields, outer: Scope | undefined, ctes: CteScope | undefined) => LaterColumns;

/** Reads expressions and rejects every node and every field that is unknown here. */
export class ExpressionReader {
  readonly #context: StatementContext;
  readonly #select: SelectReader;

  constructor(context: StatementContext, select: SelectReader) {
    this.#context = context;
    this.#select = select;
  }

  optional(value: unknown, scope: Scope, ctes: CteScope | undefined): void {
    if (value !== undefined) this.expression(value, scope, ctes);
  }

  all(values: readonly unknown[], scope: Scope, ctes: CteScope | undefined): void {
    for (const value of values) this.expression(value, scope, ctes);
  }

  expression(value: unknown, scope: Scope, ctes: CteScope | undefined): void {
    this.#context.within(() => {
      const { name, fields } = nodeOf(value);
      this.#node(name, fields, scope, ctes);
      fields.end();
    });
  }

  #node(name: string, fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const one = (key: string) => this.optional(fields.child(key), scope, ctes);
    const many = (key: string) => this.all(fields.list(key), scope, ctes);
    switch (name) {
      case 'A_Const':
        readConstant(fields);
        break;
      case 'ColumnRef':
        this.#context.column(fields, scope);
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
        this.#context.type(fields.struct('typeName'));
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
        if (fields.has('arg')) this.#context.operators.add('=');
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
        this.#context.valueFunction(fields);
        break;
      case 'SubLink':
        this.#sublink(fields, scope, ctes);
        break;
      default:
        throw cannotBeUsed(name);
    }
  }

  #sublink(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    fields.oneOf('subLinkType', SUBLINKS);
    this.optional(fields.child('testexpr'), scope, ctes);
    this.#context.operator(fields.names('operName'));
    const query = nodeOf(fields.child('subselect'));
    if (query.name !== 'SelectStmt') throw cannotBeUsed(query.name);
    this.#select(query.fields, scope, ctes);
  }

  #operation(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const kind = fields.oneOf('kind', EXPRESSION_KINDS);
    const names = fields.names('name');
    if (!kind.includes('BETWEEN')) this.#context.operator(names);
    else if (names.length !== 1 || !BETWEEN.test(names[0] ?? '')) throw cannotBeUsed(names.join('.'));
    fields.skip('rexpr_list_start', 'rexpr_list_end');
    for (const key of ['lexpr', 'rexpr']) this.optional(fields.child(key), scope, ctes);
  }

  #call(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    this.#context.call(fields.names('funcname'));
    this.all(fields.list('args'), scope, ctes);
    this.sorting(fields.list('agg_order'), scope, ctes);
    this.optional(fields.child('agg_filter'), scope, ctes);
    const over = fields.struct('over');
    if (over !== undefined) this.window(over, scope, ctes);
    for (const flag of ['agg_within_group', 'agg_star', 'agg_distinct', 'func_variadic']) fields.flag(flag);
    fields.skip('funcformat');
  }

  window(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    for (const key of ['name', 'refname']) fields.text(key);
    fields.int('frameOptions');
    this.all(fields.list('partitionClause'), scope, ctes);
    this.sorting(fields.list('orderClause'), scope, ctes);
    for (const key of ['startOffset', 'endOffset']) this.optional(fields.child(key), scope, ctes);
    fields.end();
  }

  sorting(list: readonly unknown[], scope: Scope, ctes: CteScope | undefined): void {
    for (const item of list) {
      const { name, fields } = nodeOf(item);
      if (name !== 'SortBy') throw cannotBeUsed(name);
      this.optional(fields.child('node'), scope, ctes);
      fields.oneOf('sortby_dir', DIRECTIONS);
      fields.oneOf('sortby_nulls', NULLS);
      this.#context.operator(fields.names('useOp'));
      fields.end();
    }
  }

  /** Reads `a[1]`, and `(row).field` if that is certainly a field. */
  #indirection(fields: Fields, scope: Scope, ctes: CteScope | undefined): void {
    const arg = fields.child('arg');
    const steps = fields.list('indirection').map((step) => ({ step, ...nodeOf(step) }));
    this.expression(arg, scope, ctes);
    for (const [at, { step, name, fields: stepFields }] of steps.entries()) {
      if (name === 'A_Indices') {
        stepFields.flag('is_slice');
        for (const key of ['lidx', 'uidx']) this.optional(stepFields.child(key), scope, ctes);
        stepFields.end();
      } else if (at === 0 && (name === 'String' || name === 'A_Star')) {
        this.#context.field(arg, name === 'String' ? stringOf(step) : undefined, scope);
      } else {
        throw new QueryError('Only a column can have a field: (table.column).field.');
      }
    }
  }
}
