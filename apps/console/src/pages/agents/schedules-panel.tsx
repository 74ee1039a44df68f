import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { ScheduleForm } from '#pages/agents/schedule-form.tsx';
import { ScheduleItem } from '#pages/agents/schedule-item.tsx';
import { isActive } from '#pages/agents/schedule-run-line.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

const REFRESH_MS = 2_000;

/** When an agent runs, and where its answers go. */
export function SchedulesPanel({ agentId }: { readonly agentId: string }) {
  const [isAdding, setIsAdding] = useState(false);
  const paging = usePaged(
    ['schedules', agentId],
    (page, options) => lectern().agents.schedules.list(agentId, { page, limit: 10 }, options),
    {
      refresh: {
        everyMs: REFRESH_MS,
        while: (items) => items.some(({ lastRun }) => lastRun !== null && isActive(lastRun)),
      },
    },
  );
  return (
    <div className="stack">
      <div className="row row-end">
        <Button isPrimary onClick={() => setIsAdding(true)}>
          {t('agents.schedules.add')}
        </Button>
      </div>
      <Listing
        paging={paging}
        what={t('agents.what.schedules')}
        empty={
          <Empty title={t('agents.schedules.none')}>
            <p>{t('agents.schedules.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((schedule) => (
              <ScheduleItem key={schedule.id} schedule={schedule} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('agents.schedules.addTitle')} isOpen={isAdding} onOpenChange={setIsAdding}>
        <ScheduleForm agentId={agentId} onDone={() => setIsAdding(false)} />
      </Sheet>
    </div>
  );
}
