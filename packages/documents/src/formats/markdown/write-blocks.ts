import type { List, ListItem, RootContent, Table } from 'mdast';
import { renderHtml } from '#formats/html/render-html';
import { type Definitions, inlineText } from '#formats/markdown/inline-text';
import { readHtml } from '#markup/read-html';
import type { DocumentWriter } from '#text/document-writer';

/** Writes Markdown blocks in the normal form. */
export class BlockWriter {
  readonly #writer: DocumentWriter;
  readonly #definitions: Definitions;

  constructor(writer: DocumentWriter, definitions: Definitions) {
    this.#writer = writer;
    this.#definitions = definitions;
  }

  write(nodes: readonly RootContent[]): void {
    for (const node of nodes) this.#block(node);
  }

  #block(node: RootContent): void {
    if (node.type === 'heading') this.#writer.heading(node.depth, inlineText(node.children, this.#definitions));
    else if (node.type === 'paragraph') this.#writer.paragraph(inlineText(node.children, this.#definitions));
    else if (node.type === 'code') this.#writer.code(node.value, node.lang ?? '');
    else if (node.type === 'list') this.#list(node, 0);
    else if (node.type === 'table') this.#table(node);
    else if (node.type === 'html') {
      renderHtml(readHtml(node.value), this.#writer, { dropBoilerplate: false, keepLinks: true });
    } else if (node.type === 'blockquote' || node.type === 'footnoteDefinition') this.write(node.children);
    // Rules and definitions contain no text.
  }

  #table({ children }: Table): void {
    const rows = children.map((row) => row.children.map((cell) => inlineText(cell.children, this.#definitions)));
    this.#writer.table(rows, { hasHeader: true });
  }

  #list(list: List, depth: number): void {
    for (const [index, item] of list.children.entries()) {
      this.#item(item, depth, list.ordered ? (list.start ?? 1) + index : undefined);
    }
  }

  #item(item: ListItem, depth: number, ordinal: number | undefined): void {
    const paragraphs = item.children.filter((child) => child.type === 'paragraph');
    const box = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
    const text = paragraphs.map((paragraph) => inlineText(paragraph.children, this.#definitions)).join('\n');
    this.#writer.listItem(box + text, depth, ordinal);
    for (const child of item.children) {
      if (child.type === 'list') this.#list(child, depth + 1);
      else if (child.type !== 'paragraph') this.#block(child);
    }
  }
}
