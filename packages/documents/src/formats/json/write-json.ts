import type { DocumentWriter } from '#text/document-writer';

type Scalar = string | number | boolean | null | undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;

const isFlat = (value: unknown): value is Record<string, Scalar> =>
  isRecord(value) && Object.values(value).every(isScalar);

const scalarText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns true for records with similar fields: at most twice as many columns as the largest
 * record.
 */
const isTable = (values: readonly unknown[]): values is readonly Record<string, Scalar>[] => {
  if (values.length < 2 || !values.every(isFlat)) return false;
  const widths = values.map((value) => Object.keys(value).length);
  return columnsOf(values).length <= 2 * Math.max(...widths.slice(0, 1000));
};

const columnsOf = (records: readonly Record<string, Scalar>[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record))),
];

/**
 * Writes a JSON value as text: records with similar fields as tables, all else as nested lists of
 * `name: value`.
 */
export class JsonWriter {
  readonly #writer: DocumentWriter;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  /** Writes a document; its top-level lists and objects become sections. */
  document(value: unknown): void {
    if (isScalar(value)) this.#writer.paragraph(scalarText(value));
    else if (Array.isArray(value)) this.list(value);
    else if (isRecord(value)) this.#sections(value);
  }

  /** Writes a top-level array, or the values of JSON Lines. */
  list(values: readonly unknown[]): void {
    if (isTable(values)) {
      const columns = columnsOf(values);
      const rows = values.map((record) => columns.map((column) => scalarText(record[column])));
      this.#writer.table([columns, ...rows], { hasHeader: true });
      return;
    }
    for (const value of values) {
      if (isScalar(value)) this.#writer.listItem(scalarText(value), 0);
      else {
        this.#outline(value, 0);
        this.#writer.endList();
      }
    }
  }

  #sections(value: Record<string, unknown>): void {
    const fields = Object.entries(value).filter(([, field]) => !isEmpty(field));
    this.#outline(Object.fromEntries(fields.filter(([, field]) => isScalar(field))), 0);
    for (const [name, field] of fields) {
      if (isScalar(field)) continue;
      this.#writer.heading(2, name);
      if (Array.isArray(field)) this.list(field);
      else this.#outline(field, 0);
    }
  }

  #outline(value: unknown, depth: number): void {
    if (!isRecord(value) && !Array.isArray(value)) return;
    for (const [name, field] of Object.entries(value)) {
      if (isEmpty(field)) continue;
      const label = Array.isArray(value) ? '' : `${name}: `;
      if (isScalar(field)) this.#writer.listItem(`${label}${scalarText(field)}`, depth);
      else if (Array.isArray(field) && field.every(isScalar))
        this.#writer.listItem(`${label}${field.map(scalarText).join(', ')}`, depth);
      else {
        this.#writer.listItem(label.trim() || `${Number(name) + 1}:`, depth);
        this.#outline(field, depth + 1);
      }
    }
  }
}

/** Returns the title or name at the top of a JSON document. */
export const jsonTitle = (value: unknown): string | undefined => {
  if (!isRecord(value)) return undefined;
  return [value.title, value.name].find((field): field is string => typeof field === 'string' && field.length <= 200);
};
