import { BrandingPanel } from '#pages/settings/branding-panel.tsx';
import { BudgetsPanel } from '#pages/settings/budgets-panel.tsx';
import { PricesPanel } from '#pages/settings/prices-panel.tsx';
import { RetentionPanel } from '#pages/settings/retention-panel.tsx';
import { NoAccess } from '#session/no-access.tsx';
import { useAccess } from '#session/session.ts';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The settings of the team. */
export default function SettingsPage() {
  if (!useAccess('admin', 'keys')) {
    return (
      <>
        <PageHead title="Settings" />
        <NoAccess action="change settings" least="admin" right="keys" />
      </>
    );
  }
  return (
    <>
      <PageHead title="Settings" intro="Budgets, prices of models, how long data is kept, and how the pages look." />
      <TabSet
        label="Settings"
        tabs={[
          { name: 'Budgets', content: <BudgetsPanel /> },
          { name: 'Model prices', content: <PricesPanel /> },
          { name: 'Retention', content: <RetentionPanel /> },
          { name: 'Branding', content: <BrandingPanel /> },
        ]}
      />
    </>
  );
}
