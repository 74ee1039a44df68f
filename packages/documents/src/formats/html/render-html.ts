import { renderTableElement } from '#formats/html/html-table';
import { isBoilerplate, isInvisible } from '#formats/html/main-content';
import { isElement, type MarkupElement, type MarkupNode, textOf } from '#markup/element';
import type { DocumentWriter } from '#text/document-writer';
import { linkText } from '#text/link-text';

export interface RenderOptions {
  /** Leave out navigation, headers and footers. */
  readonly dropBoilerplate: boolean;
  /** Write links as `[text](address)`. */
  readonly keepLinks: boolean;
}

const inlineNames = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q ruby rb rt rp s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Walks a tree and writes its blocks. Inline text is collected until a block begins or ends. */
class HtmlRenderer {
  readonly #writer: DocumentWriter;
  readonly #options: RenderOptions;
  #inline: string[] = [];

  constructor(writer: DocumentWriter, options: RenderOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  blocks(nodes: readonly MarkupNode[]): void {
    for (const node of nodes) this.#node(node);
    this.#flush();
  }

  #node(node: MarkupNode): void {
    if (!isElement(node)) this.#inline.push(node.replace(/\s+/g, ' '));
    else if (this.#isDropped(node)) return;
    else if (inlineNames.has(node.name) || node.name === 'br') this.#inline.push(this.inlineText(node));
    else this.#block(node);
  }

  #isDropped(element: MarkupElement): boolean {
    return isInvisible(element) || (this.#options.dropBoilerplate && isBoilerplate(element));
  }

  #block(element: MarkupElement): void {
    this.#flush();
    const level = /^h([1-6])$/.exec(element.name)?.[1];
    if (level) this.#writer.heading(Number(level), this.#contents(element));
    else if (element.name === 'pre') this.#code(element);
    else if (element.name === 'ul' || element.name === 'ol') this.#list(element, 0);
    else if (element.name === 'table') renderTableElement(element, this.#writer, this);
    else if (element.name === 'dd') this.#writer.listItem(this.#contents(element), 0);
    else this.blocks(element.children);
  }

  #flush(): void {
    const text = tidyInline(this.#inline.join(''));
    this.#inline = [];
    this.#writer.paragraph(text);
  }

  #code(element: MarkupElement): void {
    const classes = [element, ...element.children.filter(isElement)]
      .map((part) => part.attributes.class ?? '')
      .join(' ');
    this.#writer.code(textOf(element), /\blang(?:uage)?-([\w+#-]+)/.exec(classes)?.[1]);
  }

  #list(list: MarkupElement, depth: number): void {
    let ordinal = list.name === 'ol' ? Number.parseInt(list.attributes.start ?? '1', 10) || 1 : undefined;
    for (const item of list.children) {
      if (!isElement(item) || this.#isDropped(item)) continue;
      if (item.name === 'ul' || item.name === 'ol') {
        this.#list(item, depth + 1);
        continue;
      }
      this.#listItem(item, depth, ordinal);
      if (ordinal !== undefined) ordinal++;
    }
  }

  /** Writes the item's own text, then the lists, tables and code nested in it. */
  #listItem(item: MarkupElement, depth: number, ordinal: number | undefined): void {
    const nested = item.children.filter(
      (child) => isElement(child) && ['ul', 'ol', 'table', 'pre'].includes(child.name),
    );
    const ownContent = { ...item, children: item.children.filter((child) => !nested.includes(child)) };
    this.#writer.listItem(this.#contents(ownContent), depth, ordinal);
    for (const part of nested) {
      if (!isElement(part)) continue;
      if (part.name === 'ul' || part.name === 'ol') this.#list(part, depth + 1);
      else this.#block(part);
    }
  }

  #contents(element: MarkupElement): string {
    return tidyInline(this.inlineText(element));
  }

  /** Returns all text in an element as inline text; line breaks separate its blocks. */
  inlineText(node: MarkupNode): string {
    if (!isElement(node)) return node.replace(/\s+/g, ' ');
    if (node.name === 'br') return '\n';
    if (this.#isDropped(node)) return '';
    if (node.name === 'img') return node.attributes.alt ?? '';
    const inner = node.children.map((child) => this.inlineText(child)).join('');
    if (node.name === 'a' && this.#options.keepLinks) return linkText(inner, node.attributes.href);
    return inlineNames.has(node.name) ? inner : `\n${inner}\n`;
  }
}

/** Collapses white space as a browser does; line breaks from <br> and blocks stay. */
const tidyInline = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** The parts of the renderer that a table uses. */
export type CellRenderer = Pick<HtmlRenderer, 'blocks' | 'inlineText'>;

/** Writes the blocks of a page or of a part of it. */
export const renderHtml = (root: MarkupElement, writer: DocumentWriter, options: RenderOptions): void =>
  new HtmlRenderer(writer, options).blocks(root.children);
