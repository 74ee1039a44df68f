import type { ReactNode } from 'react';

const INLINE = /\[(\d{1,3})\]|`([^`]+)`|\*\*([^*]+)\*\*/g;

/** Renders a line with its citations as buttons. A number without a source stays text. */
function inline(text: string, sourceCount: number, onCite: (index: number) => void): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, marker, code, strong] = match;
    const number = Number(marker);
    if (marker !== undefined && (number < 1 || number > sourceCount)) continue;
    parts.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (marker !== undefined) {
      parts.push(
        <button
          key={match.index}
          type="button"
          className="citation"
          aria-label={`Source ${number}`}
          onClick={() => onCite(number - 1)}
        >
          {number}
        </button>,
      );
    } else if (code !== undefined) parts.push(<code key={match.index}>{code}</code>);
    else parts.push(<strong key={match.index}>{strong}</strong>);
  }
  parts.push(text.slice(at));
  return parts;
}

const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*\d+[.)]\s+/;
const HEADING = /^#{1,6}\s+/;

/** Renders a reply: basic Markdown and citations. Never renders HTML, because replies are untrusted. */
export function Prose({
  text,
  sourceCount,
  onCite,
}: {
  readonly text: string;
  readonly sourceCount: number;
  readonly onCite: (index: number) => void;
}) {
  const line = (content: string) => inline(content, sourceCount, onCite);
  const blocks = text
    .split(/(```[\s\S]*?(?:```|$))|\n{2,}/)
    .filter((block) => block !== undefined && block.trim() !== '');
  return (
    <div className="prose">
      {blocks.map((block, index) => {
        // The index is a stable key because text is only appended.
        const key = index;
        if (block.startsWith('```')) return <pre key={key}>{block.replace(/^```[^\n]*\n?|```$/g, '')}</pre>;
        const lines = block.split('\n').filter((row) => row.trim() !== '');
        for (const [mark, List] of [
          [BULLET, 'ul'],
          [NUMBER, 'ol'],
        ] as const) {
          if (!lines.every((row) => mark.test(row))) continue;
          return (
            <List key={key}>
              {lines.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended.
                <li key={at}>{line(row.replace(mark, ''))}</li>
              ))}
            </List>
          );
        }
        const [first = ''] = lines;
        if (HEADING.test(first) && lines.length === 1) return <h3 key={key}>{line(first.replace(HEADING, ''))}</h3>;
        return <p key={key}>{line(block)}</p>;
      })}
    </div>
  );
}
