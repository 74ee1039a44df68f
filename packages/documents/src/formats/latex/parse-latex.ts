import type * as Ast from '@unified-latex/unified-latex-types';
import { parse } from '@unified-latex/unified-latex-util-parse';
import { escapeAddresses, withoutComments } from '#formats/latex/latex-source';
import { type Definitions, givenArguments } from '#formats/latex/latex-text';
import { headingLevel, LatexWriter } from '#formats/latex/write-latex';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter, type WrittenText } from '#text/document-writer';

/** Reading takes about 3 s of CPU time for this much. Of longer documents, only headings are recognized. */
const maxTreeChars = 150_000;
/** Definitions that use each other could expand without end. */
const maxExpansions = 10_000;

interface LatexText extends WrittenText {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
}

const macrosIn = (nodes: readonly Ast.Node[], name: string): Ast.Macro[] =>
  nodes.filter((node): node is Ast.Macro => node.type === 'macro' && node.content === name);

/** Returns the macros without parameters that a document defines. */
const definitionsIn = (nodes: readonly Ast.Node[]): Definitions => {
  const macros = new Map<string, readonly Ast.Node[]>();
  for (const name of ['newcommand', 'renewcommand', 'providecommand']) {
    for (const macro of macrosIn(nodes, name)) {
      const [target, ...rest] = givenArguments(macro);
      const [defined] = target?.content ?? [];
      const [body, more] = rest;
      if (defined?.type === 'macro' && body !== undefined && more === undefined)
        macros.set(defined.content, body.content);
    }
  }
  return { macros, expansionsLeft: maxExpansions };
};

const normalize = (source: string, maxChars: number): LatexText => {
  const { content } = parse(escapeAddresses(source));
  const main = content.find((node): node is Ast.Environment => node.type === 'environment' && node.env === 'document');
  const body = main?.content ?? content;
  const writer = new DocumentWriter(maxChars);
  const latex = new LatexWriter(writer, definitionsIn([...content, ...body]));
  const about = (name: string): string | undefined => {
    const [macro] = [...macrosIn(content, name), ...macrosIn(body, name)];
    const argument = macro && givenArguments(macro).at(-1);
    return argument ? latex.text(argument.content) || undefined : undefined;
  };
  const [title, author] = [about('title'), about('author')];
  if (title !== undefined) writer.heading(1, title);
  latex.write(body);
  return { ...writer.finish(), title, author };
};

/** Returns the text with its commands, but without comments. */
const unchanged = (source: string, maxChars: number): LatexText => {
  const writer = new DocumentWriter(maxChars);
  const [before = '', ...sections] = withoutComments(source).split(/^[ \t]*\\(?=[a-z]+\*?\{)/m);
  writer.paragraph(before);
  let open = '';
  for (const part of sections) {
    const [whole = '', name = '', title = ''] = /^([a-z]+)\*?\{([^{}\n]*)\}/.exec(part) ?? [];
    const level = headingLevel(name);
    if (level === undefined) {
      open += `\\${part}`;
      continue;
    }
    writer.paragraph(open);
    writer.heading(level, title);
    open = part.slice(whole.length);
  }
  writer.paragraph(open);
  return writer.finish();
};

/** Falls back to the unchanged text if the structure is damaged or nested too deeply to walk. */
const readLatex = (source: string, maxChars: number): LatexText => {
  if (source.length > maxTreeChars) return unchanged(source, maxChars);
  try {
    const read = normalize(source, maxChars);
    return read.text.trim() === '' ? unchanged(source, maxChars) : read;
  } catch (error) {
    if (error instanceof ParseError) throw error;
    return unchanged(source, maxChars);
  }
};

/** Parses LaTeX. Files that it includes are not read; formulas stay LaTeX. */
export const parseLatex: FormatParser = async ({ bytes, limits }) => {
  const { text: source, charset } = decodeDocument({ bytes, limits });
  const { title, author, ...written } = readLatex(source.replaceAll('\r\n', '\n'), limits.maxTextChars);
  return { ...written, title, metadata: { author, charset } };
};
