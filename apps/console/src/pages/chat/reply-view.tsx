import type { ReactNode } from 'react';
import { ConfidenceView } from '#pages/chat/confidence-view.tsx';
import { Prose } from '#pages/chat/prose.tsx';
import { StepsView } from '#pages/chat/steps-view.tsx';
import type { Reply } from '#pages/chat/turn.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { plural } from '#ui/plural.ts';

/** A reply with its sources and confidence. `children` are its actions. */
export function ReplyView({
  reply,
  onOpen,
  children,
}: {
  readonly reply: Reply;
  readonly onOpen: (opened: Opened) => void;
  readonly children?: ReactNode;
}) {
  const { content, sources, confidence, usage, steps } = reply;
  const open = (index: number) => {
    const source = sources[index];
    if (source !== undefined) onOpen({ id: source.id, title: source.title, quote: source.excerpt });
  };
  return (
    <article className="message-assistant" aria-label="Reply">
      <StepsView steps={steps} />
      <Prose text={content} sourceCount={sources.length} onCite={open} />
      {sources.length === 0 ? null : (
        <ol className="sources" aria-label="Sources">
          {sources.map((source, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sources are identified by their number.
            <li key={index}>
              <button type="button" className="link-button" onClick={() => open(index)}>
                [{index + 1}] {source.title}
              </button>
              <p className="clamp small muted">{plainExcerpt(source.excerpt)}</p>
            </li>
          ))}
        </ol>
      )}
      {confidence === undefined ? null : <ConfidenceView confidence={confidence} />}
      {usage === undefined && !children ? null : (
        <div className="row muted small">
          {usage === undefined ? null : <span>{plural(usage.totalTokens, 'token')}</span>}
          {children}
        </div>
      )}
    </article>
  );
}
