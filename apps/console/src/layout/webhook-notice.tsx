import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';

const REFRESH_MS = 60_000;

/** Shows admins on every page that Lectern has disabled a webhook. */
export function WebhookNotice() {
  const canManage = useAccess('admin', 'keys');
  const webhooks = useQuery({
    queryKey: ['webhooks', 'disabled'],
    queryFn: async ({ signal }) => lectern().webhooks.list({ limit: 100 }, { signal }),
    enabled: canManage,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const count = webhooks.data?.items.filter(
    ({ enabled, disabledReason }) => !enabled && disabledReason !== null,
  ).length;
  if (count === undefined || count === 0) return null;
  return (
    <p className="notice notice-warn small" role="status">
      {t('layout.webhooksDisabled', { count })} <Link href="/webhooks">{t('layout.showWebhooks')}</Link>
    </p>
  );
}
