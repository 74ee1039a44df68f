import type { ReactNode } from 'react';
import { levelOf } from '#pages/ask/level.ts';
import { LevelNote } from '#pages/ask/level-note.tsx';
import { Prose } from '#pages/chat/prose.tsx';
import type { Reply } from '#pages/chat/turn.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';

const isWebUrl = (url: string | null | undefined): url is string => /^https?:/.test(url ?? '');

/** An answer with its sources, and how far they support it. `children` are its actions. */
export function Answer({
  reply,
  onOpen,
  children,
}: {
  readonly reply: Reply;
  readonly onOpen: (opened: Opened) => void;
  readonly children?: ReactNode;
}) {
  const { content, sources } = reply;
  const level = levelOf(reply);
  const open = (index: number) => {
    const source = sources[index];
    if (source !== undefined) onOpen({ id: source.id, title: source.title, quote: source.excerpt });
  };
  return (
    <article className="message-assistant" aria-label="Answer">
      <Prose text={content} sourceCount={sources.length} onCite={open} />
      {level === undefined ? null : <LevelNote level={level} />}
      {sources.length === 0 ? null : (
        <ol className="sources" aria-label={level === 'none' ? 'Closest passages' : 'Sources'}>
          {sources.map(({ title, excerpt, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sources are identified by their number.
            <li key={index}>
              <div className="row">
                <button type="button" className="link-button" onClick={() => open(index)}>
                  [{index + 1}] {title}
                </button>
                {isWebUrl(url) ? (
                  <a
                    className="small"
                    href={url}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={`Open original: ${title}`}
                  >
                    Open original
                  </a>
                ) : null}
              </div>
              <p className="clamp small muted">{plainExcerpt(excerpt)}</p>
            </li>
          ))}
        </ol>
      )}
      {children === undefined ? null : <div className="answer-actions">{children}</div>}
    </article>
  );
}
