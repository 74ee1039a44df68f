import {
  ALLOWED_FUNCTIONS,
  ALLOWED_IN_STORED,
  ALLOWED_OPERATORS,
  ALLOWED_TYPES,
  ALLOWED_VALUE_FUNCTIONS,
  ALLOWED_VALUES_IN_STORED,
  READABLE_TYPES,
} from '#postgresql/query/allowed';
import type { Catalog, ExtensionMember, RelationName, TypeName } from '#postgresql/query/catalog';
import { type Columns, canHave } from '#postgresql/query/columns';
import { cannotBeUsed, type Fields, nodeOf, stringOf, words } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';
import { isStar, isSystemSchema, readConstant, unqualified } from '#postgresql/query/read-node';
import { isItem, itemsCalled, itemsOf, type Scope } from '#postgresql/query/scope';

/** Maximum nesting of nodes in the parse tree. */
const MAX_DEPTH = 200;
const SYSTEM_COLUMNS = words('ctid xmin xmax cmin cmax tableoid oid');

/** The `typemod` of a type whose modifier the parser has not read yet. */
const NO_MODIFIER = -1;

export interface CheckOptions {
  /**
   * The only schema whose tables the query can name; undefined for the owner's text, which can name
   * others.
   */
  readonly schema: string | undefined;
  /** True for SQL that the owner of the database wrote: views, policies, checks. */
  readonly stored: boolean;
}

/**
 * Checks the names in one statement against the lists of allowed ones, and collects what only the
 * catalog can decide.
 */
export class StatementContext {
  readonly options: CheckOptions;
  readonly relations = new Map<string, RelationName>();
  readonly unqualified: number[] = [];
  readonly functions = new Set<string>();
  readonly functionsInFrom = new Set<string>();
  readonly operators = new Set<string>();
  readonly types = new Map<string, TypeName>();
  readonly ofExtensions = new Map<string, ExtensionMember>();
  readonly obligations: ((catalog: Catalog) => void)[] = [];
  #depth = 0;

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /** Runs `read` one level deeper. Throws `QueryError` if the parse tree is nested too deeply. */
  within<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new QueryError('The query is nested too deeply.');
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  operator(names: readonly string[]): void {
    if (names.length === 0 || this.#isOfExtension('operator', names)) return;
    const name = unqualified(names, 'operator');
    if (!ALLOWED_OPERATORS.has(name)) throw new QueryError(`The operator ${name} cannot be used here.`);
    this.operators.add(name);
  }

  call(names: readonly string[]): void {
    if (this.#isOfExtension('function', names)) return;
    const name = unqualified(names, 'function');
    if (!ALLOWED_FUNCTIONS.has(name) && !(this.options.stored && ALLOWED_IN_STORED.has(name))) {
      throw new QueryError(`The function ${name} cannot be used here.`);
    }
    this.functions.add(name);
  }

  /** Records calls of other schemas in the owner's text, which are checked against the catalog. */
  #isOfExtension(kind: ExtensionMember['kind'], names: readonly string[]): boolean {
    const [schema = '', name = ''] = names;
    if (!this.options.stored || names.length !== 2 || isSystemSchema(schema)) return false;
    this.ofExtensions.set(JSON.stringify([kind, ...names]), { kind, schema, name });
    return true;
  }

  valueFunction(fields: Fields): void {
    const value = fields.text('op') ?? '';
    fields.int('typmod');
    if (ALLOWED_VALUE_FUNCTIONS.test(value)) return;
    if (this.options.stored && ALLOWED_VALUES_IN_STORED.test(value)) return;
    throw new QueryError('Only dates and times, for example CURRENT_DATE, can be used without parentheses.');
  }

  type(fields: Fields | undefined): void {
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
    if (this.options.stored && names.length === 2 && !isSystemSchema(schema)) {
      this.types.set(JSON.stringify(names), { schema, name });
      return;
    }
    const typeName = unqualified(names, 'type');
    if (!(this.options.stored ? READABLE_TYPES : ALLOWED_TYPES).has(typeName))
      throw new QueryError(
        `Values cannot be cast to ${typeName} here. Remove the cast: quoted text gets the type of the value that it is compared with.`,
      );
  }

  /** Returns the part of `schema.table.column` or `table.column` before the column. */
  qualifier(parts: readonly string[]): readonly string[] {
    const { schema } = this.options;
    if (parts.length > 2) throw new QueryError(`${parts.join('.')} names another database, which is not accessible.`);
    if (parts.length === 2 && schema !== undefined && parts[0] !== schema) {
      throw new QueryError(`Only tables of the schema ${schema} can be read, not ${parts.join('.')}.`);
    }
    return parts;
  }

  column(fields: Fields, scope: Scope): void {
    const parts = fields.list('fields');
    const last = parts.at(-1);
    if (last === undefined) throw cannotBeUsed('ColumnRef');
    const qualifier = this.qualifier(parts.slice(0, -1).map(stringOf));
    if (isStar(last)) {
      // In a function call or a row: the whole row.
      if (qualifier.length === 0) throw new QueryError('* cannot be used here.');
      itemsCalled(scope, qualifier);
      return;
    }
    const name = stringOf(last);
    if (SYSTEM_COLUMNS.has(name) && qualifier.length === 0) {
      this.obligations.push((catalog) => {
        const known = itemsOf(scope).some(({ columns }) => columns(catalog).names.has(name));
        if (!known) throw new QueryError(`The system column ${name} is not accessible.`);
      });
    }
    if (qualifier.length === 0) return;
    const items = itemsCalled(scope, qualifier);
    // PostgreSQL could choose any of them, so each must have the column: it reads an unknown name
    // as a function call.
    this.obligations.push((catalog) => {
      if (items.every(({ columns }) => columns(catalog).names.has(name))) return;
      throw new QueryError(
        `The column ${name} in ${qualifier.join('.')} does not exist, or the table is ambiguous. Name columns in WITH and subqueries with AS, and tables by different aliases.`,
      );
    });
  }

  /** Checks that `(arg).field` is a column of an alias, or a field of a column that is a row. */
  field(arg: unknown, field: string | undefined, scope: Scope): void {
    const rejection = new QueryError(
      `(…).${field ?? '*'} cannot be used: only a table, or a column that is a row, has fields.`,
    );
    const { name: node, fields } = nodeOf(arg);
    if (node !== 'ColumnRef') throw rejection;
    const parts = fields.list('fields').map(stringOf);
    const [column = ''] = parts.slice(-1);
    const qualifier = parts.slice(0, -1);
    const items = qualifier.length === 0 ? itemsOf(scope) : itemsCalled(scope, qualifier);
    this.obligations.push((catalog) => {
      const all = items.map((item) => item.columns(catalog));
      const having = all.filter((columns) => canHave(columns, column));
      if (having.length === 0 && qualifier.length === 0 && isItem(scope, column)) {
        // No column has that name: PostgreSQL reads it as the whole row.
        const rows = itemsCalled(scope, [column]).map((item) => item.columns(catalog));
        if (rows.every(({ names }) => field === undefined || names.has(field))) return;
        throw rejection;
      }
      const isField = ({ fields: of }: Columns): boolean => {
        const known = of?.get(column);
        return known !== undefined && (field === undefined || known.has(field));
      };
      if (having.length === 0 || !having.every(isField)) throw rejection;
    });
  }
}
