import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

type PageWithWords = Schemas['PageWithWords'];

/** More pages are not a passage. */
const MAX_PAGES = 3;

interface Cited {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The pages that contain a part of a document's text, each with a button that shows it. Renders nothing
 * for documents without pages. A failed request only hides the buttons: the text is shown anyway.
 */
export default function CitedPages({ id, start, end }: Cited) {
  const found = useQuery({
    queryKey: ['document', id, 'pages', start, end],
    queryFn: ({ signal }) => lectern().documents.pages(id, { start, end }, { signal }),
  });
  const pages = (found.data?.pages ?? []).filter(({ words }) => words.length > 0).slice(0, MAX_PAGES);
  return pages.map((page) => <CitedPage key={`${id} ${start} ${page.page}`} id={id} page={page} />);
}

function CitedPage({ id, page }: { readonly id: string; readonly page: PageWithWords }) {
  const [isShown, setIsShown] = useState(false);
  const region = useId();
  return (
    <div className="stack">
      <div className="row">
        <Button
          className="button-small"
          aria-expanded={isShown}
          aria-controls={region}
          onClick={() => setIsShown(!isShown)}
        >
          {t(isShown ? 'documents.hidePage' : 'documents.showPage', { number: page.page })}
        </Button>
      </div>
      <div id={region}>{isShown ? <PageView id={id} page={page} /> : null}</div>
    </div>
  );
}

function PageView({ id, page }: { readonly id: string; readonly page: PageWithWords }) {
  const image = useQuery({
    queryKey: ['document', id, 'page-image', page.page],
    queryFn: ({ signal }) => lectern().documents.pageImage(id, { number: page.page }, { signal }),
  });
  if (image.error) return <ErrorNotice error={image.error} onRetry={() => image.refetch()} />;
  if (image.data === undefined) return <Loading what={t('documents.what.page', { number: page.page })} />;
  const { content, mediaType, width, height } = image.data;
  return (
    <div className="cited-page">
      <Picture {...{ content, mediaType, width, height }} label={t('documents.pageImage', { number: page.page })} />
      {page.words.map(({ start, left, top, right, bottom }) => (
        <mark
          key={`${start} ${left} ${top}`}
          aria-hidden="true"
          style={{ left: share(left), top: share(top), width: share(right - left), height: share(bottom - top) }}
        />
      ))}
    </div>
  );
}

const share = (value: number) => `${(value * 100).toFixed(2)}%`;

/** An image. It is drawn on a canvas, because the content security policy allows only images of the server. */
function Picture({
  content,
  mediaType,
  width,
  height,
  label,
}: {
  readonly content: string;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  readonly label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    let isStale = false;
    createImageBitmap(new Blob([bytes], { type: mediaType })).then(
      (bitmap) => {
        if (!isStale) canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
        bitmap.close();
      },
      // The browser cannot decode it. The highlights are on an empty page then.
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [content, mediaType, width, height]);
  return <canvas ref={canvas} width={width} height={height} role="img" aria-label={label} />;
}
