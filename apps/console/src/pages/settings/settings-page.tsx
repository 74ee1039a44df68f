import { BudgetsPanel } from '#pages/settings/budgets-panel.tsx';
import { PricesPanel } from '#pages/settings/prices-panel.tsx';
import { RetentionPanel } from '#pages/settings/retention-panel.tsx';
import { useRole } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { TabSet } from '#ui/tabs.tsx';

/** The settings of the team. */
export default function SettingsPage() {
  if (!useRole('admin')) {
    return (
      <>
        <PageHead title="Settings" />
        <Empty title="This key cannot change settings">
          <p>Sign in with a key that can access all collections.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Settings" intro="Budgets, prices of models, and how long data is kept." />
      <TabSet
        label="Settings"
        tabs={[
          { name: 'Budgets', content: <BudgetsPanel /> },
          { name: 'Model prices', content: <PricesPanel /> },
          { name: 'Retention', content: <RetentionPanel /> },
        ]}
      />
    </>
  );
}
