/** Environments whose contents are not LaTeX. */
const verbatimBegin = /\\begin\{((?:verbatim|lstlisting|minted|Verbatim|BVerbatim|LVerbatim|alltt|comment)\*?)\}/g;
/** Macros with an address or a path, in which `%` begins no comment. */
const address = /\\(?:url|href|path|nolinkurl)\s*(?:\[[^\]\n]*\])?\s*\{[^{}\n]*\}/g;
/** A `%` with an even number of backslashes before it. */
const bareComment = /(?<!\\)((?:\\\\)*)%.*$/gm;
const barePercent = /(?<!\\)((?:\\\\)*)%/g;

/** Changes the parts of a source that are LaTeX, and keeps verbatim text as it is. */
const mapLatex = (source: string, change: (latex: string) => string): string => {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  for (const { 0: begin, 1: name = '', index } of source.matchAll(verbatimBegin)) {
    if (index < at || unclosed.has(name)) continue;
    const mark = `\\end{${name}}`;
    const end = source.indexOf(mark, index + begin.length);
    if (end === -1) unclosed.add(name);
    else {
      parts.push(change(source.slice(at, index)), source.slice(index, end + mark.length));
      at = end + mark.length;
    }
  }
  return [...parts, change(source.slice(at))].join('');
};

const withEscapedAddresses = (latex: string): string =>
  latex.replace(address, (macro) => macro.replace(barePercent, '$1\\%'));

/** Returns an address as readers see it. */
export const plainAddress = (raw: string): string => raw.replace(/\\([%#&_~{}$])/g, '$1');

/** Escapes `%` in addresses: the parser reads it as the beginning of a comment. */
export const escapeAddresses = (source: string): string => mapLatex(source, withEscapedAddresses);

/** Removes comments. */
export const withoutComments = (source: string): string =>
  mapLatex(source, (latex) =>
    withEscapedAddresses(latex)
      .replace(bareComment, '$1')
      .replace(address, (macro) => macro.replaceAll('\\%', '%')),
  );
