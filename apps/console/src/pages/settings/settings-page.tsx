import { BrandingPanel } from '#pages/settings/branding-panel.tsx';
import { BudgetsPanel } from '#pages/settings/budgets-panel.tsx';
import { PricesPanel } from '#pages/settings/prices-panel.tsx';
import { RetentionPanel } from '#pages/settings/retention-panel.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The settings of the team. */
export default function SettingsPage() {
  if (!useAccess('admin', 'keys')) {
    return (
      <>
        <PageHead title={t('settings.title')} />
        <NoAccess action={t('settings.cannotChange')} least="admin" right="keys" />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('settings.title')} intro={t('settings.intro')} />
      <TabSet
        label={t('settings.title')}
        tabs={[
          { name: t('settings.budgets.title'), content: <BudgetsPanel /> },
          { name: t('settings.prices.title'), content: <PricesPanel /> },
          { name: t('settings.retention.title'), content: <RetentionPanel /> },
          { name: t('settings.branding.title'), content: <BrandingPanel /> },
        ]}
      />
    </>
  );
}
