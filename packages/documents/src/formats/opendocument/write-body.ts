import { childElements, isElement, type MarkupElement, type MarkupNode } from '#markup/element';
import type { DocumentWriter } from '#text/document-writer';
import { linkText } from '#text/link-text';

/** Elements of the body that are not text. */
const skipped = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'forms',
  'sequence-decls',
  'settings',
  'desc',
  'object',
  'image',
]);

/** A cell or a run of spaces can declare any number of repetitions. */
const maxRepeats = 50;

const repeats = (element: MarkupElement, attribute: string): number =>
  Math.min(maxRepeats, Math.max(1, Number.parseInt(element.attributes[attribute] ?? '1', 10) || 1));

const inline = (node: MarkupNode): string => {
  if (!isElement(node)) return node.replace(/\s+/g, ' ');
  if (skipped.has(node.name) || node.name === 'frame') return '';
  if (node.name === 's') return ' '.repeat(repeats(node, 'text:c'));
  if (node.name === 'tab') return '\t';
  if (node.name === 'line-break') return '\n';
  const text = node.children.map(inline).join('');
  if (node.name === 'note') return ` (${childElements(node, 'note-body').map(inline).join(' ').trim()})`;
  return node.name === 'a' ? linkText(text, node.attributes['xlink:href']) : text;
};

/** Writes the blocks of an OpenDocument body. */
export class BodyWriter {
  readonly #writer: DocumentWriter;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  blocks(parent: MarkupElement): void {
    for (const element of childElements(parent)) if (!skipped.has(element.name)) this.#block(element);
  }

  #block(element: MarkupElement): void {
    if (element.name === 'h')
      this.#writer.heading(Number(element.attributes['text:outline-level'] ?? 1) || 1, inline(element));
    else if (element.name === 'p') this.#paragraph(element);
    else if (element.name === 'list') this.#list(element, 0);
    else if (element.name === 'table') this.#table(element);
    else if (element.name === 'page') this.#page(element);
    else if (element.name === 'frame' && element.attributes['presentation:class'] === 'title')
      this.#writer.heading(2, inlineOf(element));
    else this.blocks(element);
  }

  /** Writes a paragraph, then the text boxes anchored in it. */
  #paragraph(element: MarkupElement): void {
    this.#writer.paragraph(inline(element));
    for (const frame of framesIn(element)) this.blocks(frame);
  }

  #page(element: MarkupElement): void {
    this.#writer.startPage();
    this.blocks(element);
  }

  #list(list: MarkupElement, depth: number): void {
    for (const item of childElements(list)) {
      const own = childElements(item).filter(({ name }) => name !== 'list');
      this.#writer.listItem(own.map(inline).join('\n'), depth);
      for (const inner of childElements(item, 'list')) this.#list(inner, depth + 1);
    }
  }

  #table(table: MarkupElement): void {
    const rows = rowsOf(table).map((row) =>
      childElements(row)
        .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
        .flatMap((cell) =>
          Array.from({ length: repeats(cell, 'table:number-columns-repeated') }, () => cellText(cell)),
        ),
    );
    this.#writer.table(rows, { hasHeader: true });
  }
}

const inlineOf = (element: MarkupElement): string =>
  childElements(element)
    .flatMap((box) => childElements(box))
    .map(inline)
    .join(' ');

const cellText = (cell: MarkupElement): string => childElements(cell).map(inline).join(' ').trim();

const rowsOf = (table: MarkupElement): MarkupElement[] =>
  childElements(table).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return ['table-header-rows', 'table-rows', 'table-row-group'].includes(child.name) ? rowsOf(child) : [];
  });

const framesIn = (element: MarkupElement): MarkupElement[] =>
  childElements(element).flatMap((child) => (child.name === 'frame' ? [child] : framesIn(child)));
