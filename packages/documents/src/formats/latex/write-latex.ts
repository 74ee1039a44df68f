import type * as Ast from '@unified-latex/unified-latex-types';
import { printRaw } from '@unified-latex/unified-latex-util-print-raw';
import { type Definitions, givenArguments, latexText, silentMacros } from '#formats/latex/latex-text';
import { oneLine } from '#text/clean-text';
import type { DocumentWriter } from '#text/document-writer';

const headingLevels: Readonly<Record<string, number>> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};

/** Returns the level of the heading that a macro writes. */
export const headingLevel = (name: string): number | undefined =>
  Object.hasOwn(headingLevels, name) ? headingLevels[name] : undefined;

const lists = new Set(['itemize', 'enumerate', 'description', 'thebibliography', 'compactitem', 'compactenum']);
const tables = new Set(['tabular', 'tabular*', 'tabularx', 'tabulary', 'longtable', 'supertabular', 'xltabular']);
const drawings = new Set(['tikzpicture', 'pgfpicture', 'picture', 'comment', 'filecontents', 'filecontents*']);
const code = new Set(['lstlisting', 'minted', 'verbatim', 'Verbatim', 'alltt']);
/** Environments whose name readers see. */
const named = new Set('abstract theorem lemma proof definition corollary example remark proposition'.split(' '));

/** Boxes on a slide, with a title. */
const titledBoxes = new Set(['block', 'alertblock', 'exampleblock']);
/** The title of a slide is below the sections of a presentation. */
const slideLevel = 4;

const maxDepth = 60;

const isSpace = (node: Ast.Node): boolean => node.type === 'whitespace' || node.type === 'parbreak';

/** Writes the blocks of a document: headings, paragraphs, lists, tables, code, and formulas as LaTeX. */
export class LatexWriter {
  readonly #writer: DocumentWriter;
  readonly #definitions: Definitions;
  #inline: Ast.Node[] = [];

  constructor(writer: DocumentWriter, definitions: Definitions) {
    this.#writer = writer;
    this.#definitions = definitions;
  }

  text(nodes: readonly Ast.Node[]): string {
    return oneLine(latexText(nodes, this.#definitions));
  }

  write(nodes: readonly Ast.Node[], depth = 0): void {
    for (const node of nodes) {
      if (node.type === 'parbreak') this.#flush();
      else if (node.type === 'macro') this.#macro(node, depth);
      else if (node.type === 'environment' || node.type === 'verbatim') this.#environment(node, depth);
      else if (node.type === 'displaymath' || node.type === 'mathenv') this.#block(printRaw(node));
      else if (node.type === 'group' && depth < maxDepth && node.content.some((child) => child.type === 'environment'))
        this.write(node.content, depth + 1);
      else this.#inline.push(node);
    }
    this.#flush();
  }

  #flush(): void {
    const text = this.text(this.#inline);
    this.#inline = [];
    this.#writer.paragraph(text);
  }

  #block(text: string): void {
    this.#flush();
    this.#writer.paragraph(text);
  }

  #macro(macro: Ast.Macro, depth: number): void {
    const level = headingLevel(macro.content);
    const last = givenArguments(macro).at(-1)?.content ?? [];
    if (level !== undefined) {
      this.#flush();
      this.#writer.heading(level, this.text(last));
    } else if (macro.content === 'frametitle') {
      this.#flush();
      this.#writer.heading(slideLevel, this.text(last));
    } else if (macro.content === 'caption' || macro.content === 'framesubtitle') this.#block(this.text(last));
    else if (macro.content === 'frame' && depth < maxDepth) {
      this.#flush();
      this.write(last, depth + 1);
    } else if (!silentMacros.has(macro.content)) this.#inline.push(macro);
  }

  #environment(node: Ast.Environment | Ast.VerbatimEnvironment, depth: number): void {
    const name = node.env;
    if (drawings.has(name)) return;
    this.#flush();
    if (node.type === 'verbatim') this.#writer.code(node.content);
    else if (code.has(name)) this.#writer.code(printRaw(node.content), languageOf(node));
    else if (lists.has(name)) this.#list(node, 0);
    else if (tables.has(name)) this.#table(node);
    else if (depth >= maxDepth) this.#writer.paragraph(this.text(node.content));
    else {
      const [title] = givenArguments(node);
      if (named.has(name)) {
        const note = title?.openMark === '[' ? ` (${this.text(title.content)})` : '';
        this.#writer.paragraph(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}${note}`);
      }
      this.#boxTitles(node);
      this.write(node.content, depth + 1);
    }
  }

  /** Writes the titles of a slide, or of a box on it. */
  #boxTitles(node: Ast.Environment): void {
    const isSlide = node.env === 'frame';
    if (!isSlide && !titledBoxes.has(node.env)) return;
    const [title, subtitle] = givenArguments(node)
      .filter(({ openMark }) => openMark === '{')
      .map(({ content }) => this.text(content));
    if (isSlide) this.#writer.heading(slideLevel, title ?? '');
    else this.#writer.paragraph(title ?? '');
    this.#writer.paragraph(subtitle ?? '');
  }

  #list({ env, content }: Ast.Environment, depth: number): void {
    let ordinal = env === 'enumerate' ? 1 : undefined;
    for (const node of content) {
      if (node.type !== 'macro' || !/^(?:bib)?item$/.test(node.content)) continue;
      const args = node.args ?? [];
      const label = args.find(({ openMark }) => openMark === '[' || openMark === '{');
      const body = args.at(-1)?.content ?? [];
      const nested = body.filter((child): child is Ast.Environment => child.type === 'environment');
      const own = this.text(body.filter((child) => child.type !== 'environment'));
      const name = label ? this.text(label.content) : '';
      const shown = node.content === 'bibitem' ? `[${name}] ${own}` : name === '' ? own : `${name}: ${own}`;
      this.#writer.listItem(shown, depth, ordinal);
      if (ordinal !== undefined) ordinal++;
      for (const child of nested) {
        if (lists.has(child.env) && depth < maxDepth) this.#list(child, depth + 1);
        else this.#environment(child, depth + 1);
      }
    }
    if (depth === 0) this.#writer.endList();
  }

  #table({ content }: Ast.Environment): void {
    const rows: string[][] = [];
    let row: string[] = [];
    let cell: Ast.Node[] = [];
    const endCell = (): void => {
      row.push(this.text(cell));
      cell = [];
    };
    const endRow = (): void => {
      endCell();
      if (row.some((text) => text !== '')) rows.push(row);
      row = [];
    };
    for (const node of content) {
      if (node.type === 'string' && node.content === '&') endCell();
      else if (node.type === 'macro' && (node.content === '\\' || node.content === 'tabularnewline')) endRow();
      else if (node.type === 'macro' && node.content === 'caption') this.#macro(node, 0);
      else cell.push(node);
    }
    if (cell.some((node) => !isSpace(node)) || row.length > 0) endRow();
    this.#writer.table(rows, { hasHeader: rows.length > 1 });
  }
}

const languageOf = (node: Ast.Environment): string => {
  const settings = givenArguments(node).map(({ openMark, content }) => ({ openMark, text: printRaw(content) }));
  const option = settings.map(({ text }) => /language=\{?([\w+#-]+)/.exec(text)?.[1]).find(Boolean);
  const name = option ?? settings.find(({ openMark }) => openMark === '{')?.text ?? '';
  return /^[\w+#-]{1,30}$/.test(name) ? name.toLowerCase() : '';
};
