import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Schedule } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { ScheduleForm } from '#pages/agents/schedule-form.tsx';
import { isActive, ScheduleRunLine } from '#pages/agents/schedule-run-line.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const REFRESH_MS = 2_000;

/** A schedule with its newest run and its actions. */
export function ScheduleItem({ schedule }: { readonly schedule: Schedule }) {
  const { id, agentId, name, message, cron, timeZone, enabled, runsAs, isOwner, nextRunAt, lastRun, pausedMessage } =
    schedule;
  const ways = [...new Set(schedule.targets.map(({ type }) => t(`agents.schedules.ways.${type}`)))].join(', ');
  const [opened, setOpened] = useState<'edit' | 'runs'>();
  const { schedules } = lectern().agents;
  const run = useChange(() => schedules.run(agentId, id), ['schedules', 'schedule-runs']);
  const toggle = useChange(() => schedules.update(agentId, id, { enabled: !enabled }), ['schedules']);
  const remove = useChange(() => schedules.delete(agentId, id), ['schedules']);
  const badge =
    pausedMessage === null ? (
      <StatusBadge status="off" label={t('agents.schedules.disabled')} />
    ) : (
      <StatusBadge status="paused" />
    );
  return (
    <li className="card stack">
      <div>
        <h2>
          {name} {enabled ? null : badge}
        </h2>
        <p className="clamp">{message}</p>
        <p className="muted small">
          <code>{cron}</code> {timeZone}
          {nextRunAt === null ? '' : ` · ${t('agents.schedules.nextRun', { time: dateTimeText(nextRunAt) })}`}
          <br />
          {t('agents.schedules.runsAs', { name: runsAs })}
          {ways === '' ? '' : ` · ${t('agents.schedules.sendsResults', { ways })}`}
        </p>
      </div>
      {pausedMessage === null ? null : (
        <p className="notice notice-warn">{t('agents.schedules.paused', { reason: pausedMessage })}</p>
      )}
      {lastRun === null ? null : <ScheduleRunLine run={lastRun} isOwner={isOwner} />}
      {[run.error, toggle.error].map((error) => (error ? <ErrorNotice key={error.message} error={error} /> : null))}
      <div className="row row-end">
        {isOwner ? (
          <Button isBusy={run.isPending} onClick={() => run.mutate()}>
            {t('agents.schedules.runNow')}
          </Button>
        ) : null}
        <Button onClick={() => setOpened('runs')}>{t('agents.schedules.runs')}</Button>
        <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {t(enabled ? 'agents.schedules.disable' : 'agents.schedules.enable')}
        </Button>
        <Button onClick={() => setOpened('edit')}>{t('agents.edit')}</Button>
        <Confirm
          label={t('agents.delete')}
          question={t('agents.deleteQuestion', { name })}
          done={t('agents.deleted', { name })}
          mutation={remove}
        >
          <p>{t('agents.schedules.deleteEffect')}</p>
        </Confirm>
      </div>
      <Sheet
        title={t('agents.schedules.editTitle', { name })}
        isOpen={opened === 'edit'}
        onOpenChange={() => setOpened(undefined)}
      >
        <ScheduleForm agentId={agentId} schedule={schedule} onDone={() => setOpened(undefined)} />
      </Sheet>
      <Sheet
        title={t('agents.schedules.runsTitle', { name })}
        isOpen={opened === 'runs'}
        onOpenChange={() => setOpened(undefined)}
      >
        <Runs schedule={schedule} />
      </Sheet>
    </li>
  );
}

function Runs({ schedule: { id, agentId, isOwner } }: { readonly schedule: Schedule }) {
  const paging = usePaged(
    ['schedule-runs', id],
    (page, options) => lectern().agents.schedules.runs(agentId, id, { page, limit: 10 }, options),
    { refresh: { everyMs: REFRESH_MS, while: (items) => items.some(isActive) } },
  );
  return (
    <Listing paging={paging} what={t('agents.what.runs')} empty={<Empty title={t('agents.runs.none')} />}>
      {(items) => (
        <ul className="plain-list">
          {items.map((run) => (
            <li key={run.id} className="card">
              <ScheduleRunLine run={run} isOwner={isOwner} />
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}
