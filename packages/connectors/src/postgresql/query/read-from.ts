import type { RelationName } from '#postgresql/query/catalog';
import { type Columns, joined, orderedColumns, renamed } from '#postgresql/query/columns';
import { cannotBeUsed, type Fields, isNothing, nodeOf, words } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';
import type { ExpressionReader, SelectReader } from '#postgresql/query/read-expression';
import { isSystemSchema, listItems, locationOf, readAlias, unqualified } from '#postgresql/query/read-node';
import { type CteScope, findCte, type LaterColumns, later, type Scope } from '#postgresql/query/scope';
import type { StatementContext } from '#postgresql/query/statement-context';

const MAX_RELATIONS = 50;
const JOINS = words('JOIN_INNER JOIN_LEFT JOIN_FULL JOIN_RIGHT');

/** Reads the items of FROM and adds them to the scope. */
export class FromReader {
  readonly #context: StatementContext;
  readonly #expressions: ExpressionReader;
  readonly #select: SelectReader;

  constructor(context: StatementContext, expressions: ExpressionReader, select: SelectReader) {
    this.#context = context;
    this.#expressions = expressions;
    this.#select = select;
  }

  read(value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    return this.#context.within(() => {
      const { name, fields } = nodeOf(value);
      const columns = this.#node(name, fields, value, scope, ctes);
      fields.end();
      return columns;
    });
  }

  #node(name: string, fields: Fields, value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    switch (name) {
      case 'RangeVar':
        return this.#table(fields, value, scope, ctes);
      case 'RangeSubselect': {
        const lateral = fields.flag('lateral');
        const query = nodeOf(fields.child('subquery'));
        if (query.name !== 'SelectStmt') throw cannotBeUsed(query.name);
        const { alias, colnames } = readAlias(fields.struct('alias'));
        const output = this.#select(query.fields, lateral ? scope : scope.outer, ctes);
        const columns = later((catalog) => renamed(output(catalog), colnames));
        scope.items.push({ alias, columns });
        return columns;
      }
      case 'RangeFunction':
        return this.#function(fields, scope, ctes);
      case 'JoinExpr':
        return this.#join(fields, scope, ctes);
      default:
        throw cannotBeUsed(name);
    }
  }

  #table(fields: Fields, value: unknown, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    const { schema: onlySchema, stored } = this.#context.options;
    if (fields.has('catalogname')) throw new QueryError('Another database cannot be named.');
    const schema = fields.text('schemaname');
    const name = fields.text('relname') ?? '';
    fields.flag('inh');
    fields.oneOf('relpersistence', words('p'));
    const { alias, colnames } = readAlias(fields.struct('alias'));
    const cte = schema === undefined ? findCte(ctes, name) : undefined;
    if (cte !== undefined) {
      const columns = later((catalog) => renamed(cte(catalog), colnames));
      scope.items.push({ alias: alias ?? name, columns });
      return columns;
    }
    if (onlySchema !== undefined && schema !== undefined && schema !== onlySchema) {
      throw new QueryError(`Only tables of the schema ${onlySchema} can be read, not ${schema}.${name}.`);
    }
    const tableSchema = schema ?? onlySchema;
    if (tableSchema === undefined || isSystemSchema(tableSchema) || (schema === undefined && /^pg_/.test(name))) {
      throw new QueryError(
        `The system table ${name} is not accessible. If you mean your own table with that name, write its schema before it.`,
      );
    }
    if (schema === undefined && !stored) this.#context.unqualified.push(locationOf(value));
    const table: RelationName = { schema: tableSchema, name };
    this.#context.relations.set(JSON.stringify([tableSchema, name]), table);
    if (this.#context.relations.size > MAX_RELATIONS)
      throw new QueryError(`The query reads more than ${MAX_RELATIONS} tables.`);
    const columns = later((catalog) => renamed(catalog.columnsOf(table), colnames));
    scope.items.push({ alias: alias ?? name, columns, ...(alias === undefined ? { table } : {}) });
    return columns;
  }

  #function(fields: Fields, scope: Scope, ctes: CteScope | undefined): LaterColumns {
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
      const functionName = name === 'FuncCall' ? nodeOf(call).fields.names('funcname').at(-1) : undefined;
      // Its columns are those of PostgreSQL's own function with that name.
      if (name === 'FuncCall') unqualified(nodeOf(call).fields.names('funcname'), 'function');
      if (functionName !== undefined) this.#context.functionsInFrom.add(functionName);
      this.#expressions.expression(call, scope, ctes);
      const defined = columns === undefined || isNothing(columns) ? [] : this.#columnDefinitions(listItems(columns));
      return { name: functionName, defined };
    });
    const columns = later((catalog): Columns => {
      const [only, ...others] = functions;
      const single = others.length === 0 ? only : undefined;
      const defined = [...definitions, ...(single?.defined ?? [])];
      const readColumns = (): readonly string[] | undefined => {
        if (defined.length > 0) return defined;
        const found = single?.name === undefined ? undefined : catalog.functionColumns(single.name);
        return found === 'scalar' ? [alias ?? single?.name ?? ''] : found;
      };
      const ordered = readColumns();
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
      this.#context.type(fields.struct('typeName'));
      fields.flag('is_local');
      fields.end();
      return name;
    });
  }

  #join(fields: Fields, scope: Scope, ctes: CteScope | undefined): LaterColumns {
    fields.oneOf('jointype', JOINS);
    const natural = fields.flag('isNatural');
    const using = fields.names('usingClause');
    const sides = ['larg', 'rarg'].map((key) => this.read(fields.child(key), scope, ctes));
    this.#expressions.optional(fields.child('quals'), scope, ctes);
    const { alias, colnames } = readAlias(fields.struct('alias'));
    const merged = readAlias(fields.struct('join_using_alias'));
    if (natural || using.length > 0) this.#context.operators.add('=');
    const columns = later((catalog) =>
      renamed(
        joined(
          sides.map((side) => side(catalog)),
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
}
