import * as HoverCard from '@radix-ui/react-hover-card';
import { useRef, useState } from 'react';
import type { Source } from '#api/types.ts';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { t } from '#texts/texts.ts';

const OPEN_MS = 150;
const CLOSE_MS = 100;
/** The time after the document was closed in which the returned focus and the resting pointer show nothing. */
const QUIET_MS = 500;

/** The number of a source. Shows the passage while it has the pointer or the focus, and opens the document. */
export function Citation({
  number,
  source: { title, excerpt },
  onOpen,
}: {
  readonly number: number;
  readonly source: Source;
  readonly onOpen: () => void;
}) {
  const [isShown, setIsShown] = useState(false);
  const quietUntil = useRef(0);
  return (
    <HoverCard.Root
      open={isShown}
      onOpenChange={(willBeShown) => setIsShown(willBeShown && performance.now() >= quietUntil.current)}
      openDelay={OPEN_MS}
      closeDelay={CLOSE_MS}
    >
      <HoverCard.Trigger asChild>
        <button
          type="button"
          className="citation"
          aria-label={t('chat.citation', { number, title })}
          onClick={({ currentTarget }) => {
            // The focus returns here. Safari does not move it to a clicked button.
            currentTarget.focus();
            quietUntil.current = Number.POSITIVE_INFINITY;
            setIsShown(false);
            onOpen();
          }}
          onFocus={() => {
            if (quietUntil.current === Number.POSITIVE_INFINITY) quietUntil.current = performance.now() + QUIET_MS;
          }}
        >
          {number}
        </button>
      </HoverCard.Trigger>
      {/* Inside the landmark, where screen readers expect all content. */}
      <HoverCard.Portal container={document.getElementById('main')}>
        <HoverCard.Content className="hover-card" sideOffset={6} collisionPadding={12}>
          <strong>{title}</strong>
          <p className="small">{plainExcerpt(excerpt)}</p>
          <p className="small muted">{t('chat.citationHint')}</p>
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}
