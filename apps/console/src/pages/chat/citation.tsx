import * as HoverCard from '@radix-ui/react-hover-card';
import { useState } from 'react';
import type { Source } from '#api/types.ts';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';

const OPEN_MS = 150;
const CLOSE_MS = 100;

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
  return (
    <HoverCard.Root open={isShown} onOpenChange={setIsShown} openDelay={OPEN_MS} closeDelay={CLOSE_MS}>
      <HoverCard.Trigger asChild>
        <button
          type="button"
          className="citation"
          aria-label={`Source ${number}: ${title}`}
          onClick={() => {
            setIsShown(false);
            onOpen();
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
          <p className="small muted">Select the number to read it in the document.</p>
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}
