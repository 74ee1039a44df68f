import { type ReactNode, useCallback } from 'react';
import { levelOf } from '#pages/chat/level.ts';
import { LevelNote } from '#pages/chat/level-note.tsx';
import { Prose } from '#pages/chat/prose.tsx';
import type { Reply } from '#pages/chat/turn.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

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
  const { content, sources, confidence } = reply;
  const level = levelOf(reply);
  const open = useCallback(
    (index: number) => {
      const source = sources[index];
      if (source !== undefined) onOpen({ id: source.id, title: source.title, quote: source.excerpt });
    },
    [sources, onOpen],
  );
  return (
    <article className="message-assistant" aria-label={t('ui.answer')}>
      <Prose text={content} sources={sources} onCite={open} />
      {sources.length === 0 ? null : (
        <ol className="sources" aria-label={t(level === 'none' ? 'chat.closestPassages' : 'chat.sources')}>
          {sources.map(({ title, excerpt, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sources are identified by their number.
            <li key={index} className="source">
              <div className="row">
                <button type="button" className="source-title" onClick={() => open(index)}>
                  <span className="source-number">{index + 1}</span>
                  {title}
                </button>
                {isWebUrl(url) ? (
                  <a
                    className="small muted icon-link"
                    href={url}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={t('chat.openOriginalOf', { title })}
                    title={t('chat.openOriginal')}
                  >
                    <Icon name="outside" size={15} />
                  </a>
                ) : null}
              </div>
              <p className="clamp small muted">{plainExcerpt(excerpt)}</p>
            </li>
          ))}
        </ol>
      )}
      {level === undefined ? null : <LevelNote level={level} confidence={confidence} />}
      {children === undefined ? null : <div className="answer-actions">{children}</div>}
    </article>
  );
}
