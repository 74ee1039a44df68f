import { drawingParagraphs, paragraphText } from '#formats/ooxml/drawing-text';
import { type Relationship, relationshipsOf } from '#formats/ooxml/relationships';
import { childElements, findElement, type MarkupElement } from '#markup/element';
import { readXml } from '#markup/read-xml';
import type { DocumentWriter } from '#text/document-writer';
import type { ZipArchive } from '#zip/zip-archive';

/** Placeholders with the same content on every slide. */
const repeated = new Set(['dt', 'ftr', 'hdr', 'sldNum']);
const titles = new Set(['title', 'ctrTitle']);

const placeholderOf = (shape: MarkupElement): MarkupElement | undefined =>
  findElement(childElements(shape, 'nvSpPr')[0], 'ph');

/** Returns true for the slide's outline: a placeholder of type body or obj, or without a type. */
const isOutline = (placeholder: MarkupElement | undefined): boolean =>
  placeholder !== undefined && ['body', 'obj', undefined].includes(placeholder.attributes.type);

/** Writes one slide: its title as a heading, then the other shapes in order, then the notes. */
export class SlideWriter {
  readonly #zip: ZipArchive;
  readonly #part: string;
  readonly #writer: DocumentWriter;
  #related: readonly Relationship[] = [];

  constructor(zip: ZipArchive, part: string, writer: DocumentWriter) {
    this.#zip = zip;
    this.#part = part;
    this.#writer = writer;
  }

  /** @returns the slide's title */
  async write(): Promise<string | undefined> {
    this.#related = await relationshipsOf(this.#zip, this.#part);
    const tree = findElement(readXml(await this.#zip.read(this.#part)), 'spTree');
    const title = tree && this.#title(tree);
    if (title) this.#writer.heading(2, title);
    if (tree) await this.#shapes(tree);
    await this.#notes();
    return title;
  }

  #title(tree: MarkupElement): string | undefined {
    const shape = childElements(tree, 'sp').find((sp) => titles.has(placeholderOf(sp)?.attributes.type ?? ''));
    return shape ? drawingParagraphs(shape).join(' ') || undefined : undefined;
  }

  async #shapes(parent: MarkupElement): Promise<void> {
    for (const shape of childElements(parent)) {
      if (shape.name === 'sp') this.#shape(shape);
      else if (shape.name === 'graphicFrame') await this.#frame(shape);
      else if (['grpSp', 'AlternateContent', 'Choice'].includes(shape.name)) await this.#shapes(shape);
    }
  }

  #shape(shape: MarkupElement): void {
    const placeholder = placeholderOf(shape);
    const type = placeholder?.attributes.type ?? '';
    if (titles.has(type) || repeated.has(type)) return;
    const paragraphs = childElements(childElements(shape, 'txBody')[0], 'p');
    const filled = paragraphs.filter((paragraph) => paragraphText(paragraph) !== '');
    for (const paragraph of filled) {
      const level = Number(childElements(paragraph, 'pPr')[0]?.attributes.lvl ?? 0) || 0;
      if (isOutline(placeholder) && filled.length > 1) this.#writer.listItem(paragraphText(paragraph), level);
      else this.#writer.paragraph(paragraphText(paragraph));
    }
  }

  /** Writes a table, or a diagram, whose text is in a separate part. */
  async #frame(frame: MarkupElement): Promise<void> {
    const table = findElement(frame, 'tbl');
    if (table) {
      const rows = childElements(table, 'tr').map((row) =>
        childElements(row, 'tc').map((cell) => drawingParagraphs(cell).join(' ')),
      );
      this.#writer.table(rows, { hasHeader: true });
    }
    const diagram = findElement(frame, 'relIds')?.attributes['r:dm'];
    const part = this.#related.find(({ id }) => id === diagram)?.target;
    if (part === undefined || !this.#zip.has(part)) return;
    for (const text of drawingParagraphs(readXml(await this.#zip.read(part)))) this.#writer.listItem(text, 0);
  }

  async #notes(): Promise<void> {
    const part = this.#related.find(({ type }) => type === 'notesSlide')?.target;
    if (part === undefined || !this.#zip.has(part)) return;
    const tree = findElement(readXml(await this.#zip.read(part)), 'spTree');
    const body = childElements(tree, 'sp').filter((shape) => placeholderOf(shape)?.attributes.type === 'body');
    const text = body.flatMap(drawingParagraphs).join('\n');
    if (text !== '') this.#writer.paragraph(`Notes: ${text}`);
  }
}
