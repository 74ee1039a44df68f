import type { PageMeta } from '#api/types.ts';
import { Button } from '#ui/button.tsx';

/** Leads through the pages of a list; nothing where there is one. */
export function Pager({ meta, onPage }: { readonly meta: PageMeta; readonly onPage: (page: number) => void }) {
  const pages = Math.max(1, Math.ceil(meta.total / meta.limit));
  if (pages === 1 && meta.page === 1) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      <Button disabled={meta.page <= 1} onClick={() => onPage(meta.page - 1)}>
        Previous
      </Button>
      <span>
        Page {meta.page} of {pages}
      </span>
      <Button disabled={!meta.hasMore} onClick={() => onPage(meta.page + 1)}>
        Next
      </Button>
    </nav>
  );
}
