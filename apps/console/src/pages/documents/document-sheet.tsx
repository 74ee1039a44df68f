import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { lectern } from '#api/lectern.ts';
import { windowAround } from '#pages/documents/window-around.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The document to show. `quote` is verbatim text of the document to highlight. */
export interface Opened {
  readonly id: string;
  readonly title: string;
  readonly quote?: string | undefined;
  /** The start of the quote in UTF-16 units, if known. */
  readonly offset?: number;
}

/** A panel with the text of a document, scrolled to the quote. */
export function DocumentSheet({
  opened,
  onClose,
}: {
  readonly opened: Opened | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Sheet title={opened?.title ?? ''} isOpen={opened !== undefined} onOpenChange={(isOpen) => isOpen || onClose()}>
      {opened ? <Content {...opened} /> : null}
    </Sheet>
  );
}

function Content({ id, quote, offset }: Opened) {
  const document = useQuery({
    queryKey: ['document', id, 'content'],
    queryFn: ({ signal }) => lectern().documents.content(id, { signal }),
  });
  const show = useCallback((mark: HTMLElement | null) => mark?.scrollIntoView({ block: 'center' }), []);
  if (document.error) return <ErrorNotice error={document.error} onRetry={() => document.refetch()} />;
  if (document.data === undefined) return <Loading what="the document" />;

  const { content, collection, source, metadata } = document.data;
  const { before, marked, after, isCut } = windowAround(content, quote, offset);
  const { author, url } = metadata;
  return (
    <article className="stack">
      <p className="muted small">
        {collection} · {source}
        {typeof author === 'string' ? ` · ${author}` : ''}
        {typeof url === 'string' && /^https?:/.test(url) ? (
          <>
            {' · '}
            <a href={url} target="_blank" rel="noreferrer">
              Open original
            </a>
          </>
        ) : null}
      </p>
      {isCut ? (
        <p className="notice notice-warn">This document is long. Only the text around the passage is shown.</p>
      ) : null}
      {quote !== undefined && marked === '' ? (
        <p className="notice notice-warn">The document has changed and no longer contains this passage.</p>
      ) : null}
      {content === '' ? <p className="muted">This document has no text.</p> : null}
      <p className="document-text">
        {before}
        {marked === '' ? null : <mark ref={show}>{marked}</mark>}
        {after}
      </p>
    </article>
  );
}
