import type * as Ast from '@unified-latex/unified-latex-types';
import { printRaw } from '@unified-latex/unified-latex-util-print-raw';
import { plainAddress } from '#formats/latex/latex-source';
import { linkText } from '#text/link-text';

/** Macros whose arguments are settings, names and keys instead of text. */
export const silentMacros = new Set(
  `documentclass usepackage RequirePackage input include includeonly subfile import label index glossary nocite
   bibliographystyle bibliography addbibresource pagestyle thispagestyle pagenumbering geometry hypersetup graphicspath
   includegraphics color definecolor colorlet vspace hspace vskip hskip setlength addtolength setcounter addtocounter stepcounter
   refstepcounter newcommand renewcommand providecommand DeclareMathOperator newenvironment renewenvironment newtheorem
   theoremstyle newlength newcounter lstset lstdefinestyle tikzset usetikzlibrary pgfplotsset selectlanguage
   setmainfont setsansfont setmonofont fontsize rule phantom vphantom hphantom cline cmidrule title author date maketitle tableofcontents
   hline toprule midrule bottomrule centering newpage clearpage noindent`.split(/\s+/),
);

const symbols: Readonly<Record<string, string>> = {
  LaTeX: 'LaTeX',
  TeX: 'TeX',
  ldots: '…',
  dots: '…',
  textellipsis: '…',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textbullet: '•',
  textdegree: '°',
  texteuro: '€',
  euro: '€',
  pounds: '£',
  S: '§',
  P: '¶',
  copyright: '©',
  ss: 'ß',
  o: 'ø',
  O: 'Ø',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  j: 'ȷ',
  ',': ' ',
  ';': ' ',
  ':': ' ',
  ' ': ' ',
  quad: ' ',
  qquad: ' ',
  newline: '\n',
  '\\': '\n',
};

/** The combining character of each accent. */
const accents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
};

const has = (table: Readonly<Record<string, string>>, key: string): boolean => Object.hasOwn(table, key);

const typographic = (text: string): string =>
  text.replaceAll('---', '—').replaceAll('--', '–').replaceAll('``', '“').replaceAll("''", '”').replaceAll('~', ' ');

/** Returns the arguments that were given, in order. */
export const givenArguments = (node: Ast.Macro | Ast.Environment): Ast.Argument[] =>
  (node.args ?? []).filter(({ openMark, content }) => openMark !== '' || content.length > 0);

/** The macros that a document defines without parameters, and how many more can be replaced. */
export interface Definitions {
  readonly macros: ReadonlyMap<string, readonly Ast.Node[]>;
  expansionsLeft: number;
}

const maxDepth = 200;

/** Returns nodes as one line of text; mathematics stays LaTeX. */
export const latexText = (nodes: readonly Ast.Node[], definitions: Definitions, depth = 0): string => {
  const parts: string[] = [];
  let plain = '';
  const raw = (text: string): void => {
    parts.push(typographic(plain), text);
    plain = '';
  };
  for (let index = 0; index < nodes.length && depth < maxDepth; index++) {
    const node = nodes[index];
    if (node === undefined) continue;
    if (node.type === 'string') plain += node.content;
    else if (node.type === 'whitespace' || node.type === 'parbreak') plain += ' ';
    else if (node.type === 'comment') plain += node.leadingWhitespace ? ' ' : '';
    else if (node.type === 'verb' || node.type === 'verbatim') raw(node.content);
    else if (node.type === 'inlinemath' || node.type === 'displaymath' || node.type === 'mathenv') raw(printRaw(node));
    else if (node.type === 'group' || node.type === 'environment') raw(latexText(node.content, definitions, depth + 1));
    else if (node.type === 'macro' && has(accents, node.content) && givenArguments(node).length === 0) {
      if (nodes[index + 1]?.type === 'whitespace' && /\w/.test(node.content)) index++;
      index++;
      raw(accented(nodes[index], accents[node.content] ?? '', definitions, depth));
    } else if (node.type === 'macro') raw(macroText(node, definitions, depth));
  }
  parts.push(typographic(plain));
  return parts.join('');
};

const accented = (letter: Ast.Node | undefined, mark: string, definitions: Definitions, depth: number): string => {
  const [first = '', ...rest] = letter === undefined ? [] : latexText([letter], definitions, depth + 1);
  const base = first === 'ı' ? 'i' : first;
  return (base === '' ? '' : (base + mark).normalize('NFC')) + rest.join('');
};

const macroText = (macro: Ast.Macro, definitions: Definitions, depth: number): string => {
  const { content: name } = macro;
  const given = givenArguments(macro);
  const text = (argument: Ast.Argument | undefined): string =>
    argument === undefined ? '' : latexText(argument.content, definitions, depth + 1);
  const [first] = given;
  const last = given.at(-1);
  const defined = definitions.macros.get(name);
  if (defined !== undefined && definitions.expansionsLeft > 0) {
    definitions.expansionsLeft--;
    return latexText(defined, definitions, depth + 1);
  }
  if (silentMacros.has(name)) return '';
  if (has(symbols, name)) return symbols[name] ?? '';
  if (/^[^a-zA-Z]$/.test(name)) return name;
  if (name === 'href') return linkText(text(last), plainAddress(printRaw(first?.content ?? [])));
  if (name === 'url' || name === 'nolinkurl') return plainAddress(printRaw(last?.content ?? []));
  if (name === 'footnote') return ` (${text(last).trim()})`;
  if (/^(?:[a-z]*cite[a-z]*)$/i.test(name)) return `[${text(last)}]`;
  if (name === 'item') return `${text(first)} `;
  return text(last);
};
