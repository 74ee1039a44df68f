import type { Page } from '@lectern/sdk';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';

/** Pagination. Hidden if there is only one page. */
export function Pager({
  page: { page, limit, total, hasMore },
  onPage,
}: {
  readonly page: Omit<Page<unknown>, 'items'>;
  readonly onPage: (page: number) => void;
}) {
  const pages = Math.max(1, Math.ceil(total / limit));
  if (pages === 1 && page === 1) return null;
  return (
    <nav className="pager" aria-label={t('ui.pagination')}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('ui.previous')}
      </Button>
      <span>{t('ui.pageOf', { page, pages })}</span>
      <Button disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {t('ui.next')}
      </Button>
    </nav>
  );
}
