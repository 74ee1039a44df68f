import { QueryError } from '#postgresql/query/query-error';

type Tree = Readonly<Record<string, unknown>>;

/** Parses a white-space-separated list into a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A node of the parse tree: its name in parsenodes.h or primnodes.h, and its fields. */
export interface Node {
  readonly name: string;
  readonly fields: Fields;
}

const noun = (name: string): string => (name.endsWith('Stmt') ? name.slice(0, -'Stmt'.length).toUpperCase() : name);

export const cannotBeUsed = (name: string): QueryError =>
  new QueryError(`${noun(name)} cannot be used; only plain SELECT can.`);

/** Reads a node written as `{ColumnRef: {…}}`. */
export function nodeOf(value: unknown): Node {
  const entry = isTree(value) ? Object.entries(value) : [];
  const [name, fields] = entry[0] ?? [];
  if (entry.length !== 1 || name === undefined || !isTree(fields)) throw cannotBeUsed('This part of the statement');
  return { name, fields: new Fields(name, fields) };
}

/** Returns true for `{}`, which represents a missing node in a list. */
export const isNothing = (value: unknown): boolean => isTree(value) && Object.keys(value).length === 0;

/**
 * The fields of one node. A check reads every field that the node can have and then calls `end`,
 * which rejects all others: an unknown field never passes.
 */
export class Fields {
  readonly #name: string;
  readonly #left: Map<string, unknown>;

  constructor(name: string, tree: unknown) {
    if (!isTree(tree)) throw cannotBeUsed(name);
    this.#name = name;
    this.#left = new Map(Object.entries(tree));
    this.#left.delete('location');
  }

  #take(key: string): unknown {
    const value = this.#left.get(key);
    this.#left.delete(key);
    return value;
  }

  /** Skips a field that only changes how PostgreSQL prints the node. */
  skip(...keys: readonly string[]): void {
    for (const key of keys) this.#left.delete(key);
  }

  has(key: string): boolean {
    return this.#left.has(key);
  }

  /** Returns a child unchanged, for `nodeOf` or as the fields of a node of known type. */
  child(key: string): unknown {
    return this.#take(key);
  }

  list(key: string): readonly unknown[] {
    const value = this.#take(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw cannotBeUsed(`${this.#name}.${key}`);
    return value;
  }

  /** Reads a struct that is written without its name, for example an alias. */
  struct(key: string): Fields | undefined {
    const value = this.#take(key);
    return value === undefined ? undefined : new Fields(`${this.#name}.${key}`, value);
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value !== undefined && typeof value !== 'string') throw cannotBeUsed(`${this.#name}.${key}`);
    return value;
  }

  flag(key: string): boolean {
    const value = this.#take(key);
    if (value !== undefined && typeof value !== 'boolean') throw cannotBeUsed(`${this.#name}.${key}`);
    return value ?? false;
  }

  int(key: string): number | undefined {
    const value = this.#take(key);
    if (value !== undefined && !Number.isInteger(value)) throw cannotBeUsed(`${this.#name}.${key}`);
    return value === undefined ? undefined : Number(value);
  }

  oneOf(key: string, allowed: ReadonlySet<string>): string {
    const value = this.text(key) ?? '';
    if (!allowed.has(value)) throw cannotBeUsed(value === '' ? `${this.#name}.${key}` : value);
    return value;
  }

  /** Returns the parts of a name, for example `["pg_catalog", "lower"]`. */
  names(key: string): readonly string[] {
    return this.list(key).map(stringOf);
  }

  /** Rejects fields that were not read. */
  end(): void {
    const [unknown] = this.#left.keys();
    if (unknown !== undefined) throw cannotBeUsed(`${this.#name}.${unknown}`);
  }
}

export function stringOf(value: unknown): string {
  const { name, fields } = nodeOf(value);
  if (name !== 'String') throw cannotBeUsed(name);
  const text = fields.text('sval') ?? '';
  fields.end();
  return text;
}
