import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';

/** The title of a document by its id. A rule can name documents that were deleted or that you cannot read. */
export function DocumentTitle({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({
    queryKey: ['document', id],
    queryFn: ({ signal }) => lectern().documents.get(id, { signal }),
    retry: false,
  });
  if (isError) return <span className="muted">{t('searchRules.unreadable', { id })}</span>;
  return <span>{data?.title ?? '…'}</span>;
}
