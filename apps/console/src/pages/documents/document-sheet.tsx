import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { lectern } from '#api/lectern.ts';
import { windowAround } from '#pages/documents/window-around.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** A document to be shown, at a passage where one is named: verbatim text of the document. */
export interface Opened {
  readonly id: string;
  readonly title: string;
  readonly quote?: string | undefined;
  /** Where the quote begins, in UTF-16 units, where that is known. */
  readonly offset?: number;
}

/** A document's text over the page, scrolled to the passage. */
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
              Open the original
            </a>
          </>
        ) : null}
      </p>
      {isCut ? <p className="notice notice-warn">The document is long: this is the part around the passage.</p> : null}
      {quote !== undefined && marked === '' ? (
        <p className="notice notice-warn">The document has changed since: the passage is not in it any more.</p>
      ) : null}
      {content === '' ? <p className="muted">There is no text.</p> : null}
      <p className="document-text">
        {before}
        {marked === '' ? null : <mark ref={show}>{marked}</mark>}
        {after}
      </p>
    </article>
  );
}
