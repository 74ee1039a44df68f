import type { ReactNode } from 'react';
import { t } from '#texts/texts.ts';

export interface Column<T> {
  /** Empty for a column of buttons. */
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: T) => ReactNode;
}

/** A table. On narrow screens each row becomes a card. */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** The accessible name. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}) {
  return (
    // A scrollable region must be focusable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section className="table-wrap" aria-label={caption} tabIndex={0}>
      <table className="table-cards">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber ? 'number' : undefined}>
                {name === '' ? <span className="visually-hidden">{t('ui.actions')}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} data-label={name || undefined} className={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
