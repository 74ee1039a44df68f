import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { Listing } from '#ui/listing.tsx';

/** The conversations, most recent first. */
export function ConversationList({ current }: { readonly current: string | undefined }) {
  const paging = usePaged(['conversations', 'list'], (page, options) =>
    lectern().conversations.list({ page, limit: 20 }, options),
  );
  return (
    <Listing
      paging={paging}
      what="conversations"
      empty={<p className="muted small">Your conversations will appear here.</p>}
    >
      {(items) => (
        <ul className="conversations">
          {items.map(({ id, title }) => (
            <li key={id}>
              <Link href={`/chat/${id}`} aria-current={id === current ? 'page' : undefined}>
                {title || 'Untitled conversation'}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}
