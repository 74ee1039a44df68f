import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Schedule } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { ScheduleForm } from '#pages/agents/schedule-form.tsx';
import { isActive, ScheduleRunLine } from '#pages/agents/schedule-run-line.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const REFRESH_MS = 2_000;
const WAYS = { webhook: 'to a webhook', slack: 'to Slack', email: 'by email' } as const;

/** A schedule with its newest run and its actions. */
export function ScheduleItem({ schedule }: { readonly schedule: Schedule }) {
  const { id, agentId, name, message, cron, timeZone, enabled, runsAs, isOwner, nextRunAt, lastRun, pausedMessage } =
    schedule;
  const ways = [...new Set(schedule.targets.map(({ type }) => WAYS[type]))].join(', ');
  const [opened, setOpened] = useState<'edit' | 'runs'>();
  const { schedules } = lectern().agents;
  const run = useChange(() => schedules.run(agentId, id), ['schedules', 'schedule-runs']);
  const toggle = useChange(() => schedules.update(agentId, id, { enabled: !enabled }), ['schedules']);
  const remove = useChange(() => schedules.delete(agentId, id), ['schedules']);
  const badge =
    pausedMessage === null ? <StatusBadge status="off" label="disabled" /> : <StatusBadge status="paused" />;
  return (
    <li className="card stack">
      <div>
        <h2>
          {name} {enabled ? null : badge}
        </h2>
        <p className="clamp">{message}</p>
        <p className="muted small">
          <code>{cron}</code> {timeZone}
          {nextRunAt === null ? '' : ` · next run ${dateTimeText(nextRunAt)} (your time)`}
          <br />
          Runs as {runsAs}
          {ways === '' ? '' : ` · sends results ${ways}`}
        </p>
      </div>
      {pausedMessage === null ? null : (
        <p className="notice notice-warn">Lectern paused this schedule. {pausedMessage}</p>
      )}
      {lastRun === null ? null : <ScheduleRunLine run={lastRun} isOwner={isOwner} />}
      {[run.error, toggle.error].map((error) => (error ? <ErrorNotice key={error.message} error={error} /> : null))}
      <div className="row row-end">
        {isOwner ? (
          <Button isBusy={run.isPending} onClick={() => run.mutate()}>
            Run now
          </Button>
        ) : null}
        <Button onClick={() => setOpened('runs')}>Runs</Button>
        <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button onClick={() => setOpened('edit')}>Edit</Button>
        <Confirm label="Delete" question={`Delete “${name}”?`} done={`“${name}” is deleted.`} mutation={remove}>
          <p>This also deletes its history. The runs of the agent and their conversations stay.</p>
        </Confirm>
      </div>
      <Sheet title={`Edit “${name}”`} isOpen={opened === 'edit'} onOpenChange={() => setOpened(undefined)}>
        <ScheduleForm agentId={agentId} schedule={schedule} onDone={() => setOpened(undefined)} />
      </Sheet>
      <Sheet title={`Runs of “${name}”`} isOpen={opened === 'runs'} onOpenChange={() => setOpened(undefined)}>
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
    <Listing paging={paging} what="runs" empty={<Empty title="No runs yet" />}>
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
