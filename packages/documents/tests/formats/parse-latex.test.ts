import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';

const source = String.raw`% A comment
\documentclass[a4paper]{article}
\newcommand{\product}{Lectern}
\title{The \emph{Pump} Manual}
\author{Ada Lovelace}
\begin{document}
\maketitle
\section{Checks} % another comment
\product{} checks 5\% of \textbf{all} pumps -- ${'``'}daily''. See~\cite{knuth} and \href{https://example.org/pumps}{the site}.
\input{secret}
Stra\ss{}e, caf\'e, na\"{\i}ve, \c{c}a, $a^2 + b^2$.\footnote{Pythagoras}
\[ E = mc^2 \]
\subsection*{Lists}
\begin{itemize}
  \item One
  \begin{enumerate}
    \item First
    \item Second
  \end{enumerate}
  \item[Two] Second
\end{itemize}
\begin{table}
\centering
\caption{Limits}
\begin{tabular}{l|r}
\toprule
Name & Bar \\
\midrule
Pump \& valve & 8 \\
Hose & \\
\bottomrule
\end{tabular}
\end{table}
\begin{lstlisting}[language=C]
int x; % not a comment
\end{lstlisting}
\begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}
\end{document}
`;

describe('parseLatex', () => {
  it('keeps sections, lists, tables, code and formulas, and drops comments, settings and drawings', async () => {
    const { text, title, metadata } = await parseSample(source, 'a.tex');
    expect(text).toBe(
      [
        '# The Pump Manual',
        '## Checks',
        'Lectern checks 5% of all pumps – “daily”. See [knuth] and [the site](https://example.org/pumps). Straße, café, naïve, ça, $a^{2} + b^{2}$. (Pythagoras)',
        '\\[E = mc^{2}\\]',
        '### Lists',
        '- One\n  1. First\n  2. Second\n- Two: Second',
        'Limits',
        '| Name | Bar |\n| --- | --- |\n| Pump & valve | 8 |\n| Hose |  |',
        '```c\nint x; % not a comment\n```',
      ].join('\n\n'),
    );
    expect({ title, ...metadata }).toEqual({
      title: 'The Pump Manual',
      author: 'Ada Lovelace',
      charset: 'utf-8',
      mimeType: 'text/x-tex',
    });
  });

  it('is detected by its class without an extension', async () => {
    const { metadata } = await parseSample(source, 'manual');
    expect(metadata.mimeType).toBe('text/x-tex');
  });

  it('returns a long document as text with headings, without comments', async () => {
    const long = `One % two\n\n\\emph{a}\n\\section*{Checks}\n${'word '.repeat(100_000)}`;
    const { text } = await parseSample(long, 'a.tex');
    expect(text).toMatch(/^One\s+\\emph\{a\}\n\n## Checks\n\nword word/);
  });

  it('keeps the text after an address with a percent sign, also in a long document', async () => {
    const body = String.raw`
Before \url{http://a.b/my%20file.pdf} after. \href{http://a.b/c%20d}{The file} \\% gone
here, 5\% more, \path{a%b} too.
\begin{verbatim}
printf("%d \url{a%20b}") % kept
\end{verbatim}
`;
    const read = async (text: string): Promise<string> => (await parseSample(text, 'a.tex')).text;
    const short = await read(body);
    expect(short).toContain('Before http://a.b/my%20file.pdf after. [The file](http://a.b/c%20d)');
    expect(short).toContain('here, 5% more, a%b too.');
    expect(short).toContain('printf("%d \\url{a%20b}") % kept');
    const long = await read(`${body}${'word '.repeat(40_000)}`);
    expect(long).toContain('\\url{http://a.b/my%20file.pdf} after.');
    expect(long).toContain('printf("%d \\url{a%20b}") % kept');
    for (const text of [short, long]) expect(text).not.toContain('gone');
  });

  it('loses no word that is outside of comments', async () => {
    const word = fc.stringMatching(/^[a-z]{4,8}$/);
    const part = fc.oneof(
      word.map((text) => ({ text, source: `\\url{http://x/%20${text}}` })),
      word.map((text) => ({ text, source: `\\href{http://x/a%b}{${text}}` })),
      word.map((text) => ({ text, source: `10\\% ${text}` })),
      word.map((text) => ({ text, source: `\\begin{lstlisting}\n% ${text}\n\\end{lstlisting}` })),
      word.map((text) => ({ text, source: `% comment\n${text}` })),
      word.map((text) => ({ text, source: `\\begin{frame}[t]{${text}} on it \\end{frame}` })),
      word.map((text) => ({ text, source: `\\begin{frame}\\frametitle{${text}} on it \\end{frame}` })),
      word.map((text) => ({ text, source: `\\begin{alertblock}<2->{${text}} in it \\end{alertblock}` })),
    );
    const filler = `\n\n${'word '.repeat(40_000)}`;
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), async (parts, isLong) => {
        const body = parts.map(({ source }) => source).join(' and ');
        const { text } = await parseSample(isLong ? body + filler : body, 'a.tex');
        for (const each of parts) expect(text).toContain(each.text);
      }),
    );
  });

  it('keeps the titles of slides and of boxes on them', async () => {
    const frame = String.raw`\begin{frame}[t]{Revenue}{Of 2025} It grew.
\begin{block}{Key result} Up 3\% \end{block}\end{frame}
\frame{\frametitle{Costs} They fell.}`;
    const { text } = await parseSample(`\\documentclass{beamer}\\begin{document}${frame}\\end{document}`, 'a.tex');
    expect(text).toBe('#### Revenue\n\nOf 2025\n\nIt grew.\n\nKey result\n\nUp 3%\n\n#### Costs\n\nThey fell.');
  });

  it('stops expanding definitions that use each other', async () => {
    const bomb = [...'abcdefghij'].map((name, index, names) => {
      const next = names[index + 1];
      return `\\newcommand{\\x${name}}{${next ? `\\x${next}`.repeat(10) : 'boom '}}`;
    });
    const loop = '\\newcommand{\\y}{\\y\\y}';
    const { text } = await parseSample(`${bomb.join('\n')}\n${loop}\nStart \\xa \\y end`, 'a.tex');
    expect(text).toMatch(/^Start[\s\S]*end$/);
    expect(text.length).toBeLessThan(100_000);
  });

  it('parses or rejects any markup', async () => {
    const part = fc.constantFrom(
      ...String.raw`\section{|\begin{itemize}|\end{itemize}|\item|\item[|\begin{tabular}{l}|\end{tabular}|&|\\|$|$$|\[|\]|{|}|\begin{document}|\end{document}|\newcommand{\a}{|\a|\"|\'|\verb!|!|\begin{verbatim}|\end{verbatim}|%|\cite{|\href{|\footnote{|\title{|~|--|word| `.split(
        '|',
      ),
      '\n\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string({ maxLength: 8 })), { maxLength: 30 }), async (parts) => {
        try {
          const { text } = await parseSample(parts.join(' '), 'a.tex');
          expect(text.isWellFormed()).toBe(true);
        } catch (error) {
          if (!(error instanceof ParseError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads deep nesting', async () => {
    for (const nested of ['{', '\\begin{center}', '\\begin{itemize}\\item ', '\\emph{'])
      await expect(parseSample(`word ${nested.repeat(400)} deep`, 'a.tex')).resolves.toMatchObject({
        text: expect.stringContaining('word'),
      });
  });
});
