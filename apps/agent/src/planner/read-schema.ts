/** A table in the output of `search_database_schema`. */
export interface ShownTable {
  /** The id of its database. */
  readonly database: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const DATABASE = /^id: ([^,\s]+), PostgreSQL/;
const TABLE = /^- (.+?) \((?:table|view|materialized view|foreign table)\): (.*?)(?: — .*)?$/;

/** Parses the output of `search_database_schema`. Best tables first. */
export function readSchema(content: string): readonly ShownTable[] {
  const tables: ShownTable[] = [];
  let database: string | undefined;
  for (const line of content.split('\n')) {
    database = DATABASE.exec(line)?.[1] ?? database;
    const [, name, columns] = TABLE.exec(line) ?? [];
    if (database === undefined || name === undefined || columns === undefined) continue;
    tables.push({ database, name, columns: columns.split(', ').flatMap(readColumn) });
  }
  return tables;
}

function readColumn(text: string): { name: string; type: string }[] {
  const space = text.indexOf(' ');
  return space <= 0 ? [] : [{ name: text.slice(0, space), type: text.slice(space + 1) }];
}
