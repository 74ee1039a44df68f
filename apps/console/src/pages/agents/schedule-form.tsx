import { useId, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Schedule, ScheduleTarget } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ScheduleTargets } from '#pages/agents/schedule-targets.tsx';
import { t } from '#texts/texts.ts';
import { TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';

const ZONES = Intl.supportedValuesOf('timeZone');

/** Creates or changes a schedule. */
export function ScheduleForm({
  agentId,
  schedule,
  onDone,
}: {
  readonly agentId: string;
  readonly schedule?: Schedule;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState(schedule?.name ?? '');
  const [message, setMessage] = useState(schedule?.message ?? '');
  const [cron, setCron] = useState(schedule?.cron ?? '0 7 * * 1-5');
  const [timeZone, setTimeZone] = useState(schedule?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [targets, setTargets] = useState<readonly ScheduleTarget[]>(schedule?.targets ?? []);
  const zones = useId();
  const save = useChange(
    async () => {
      const body = { name, message, cron, timeZone, targets: [...targets] };
      const { schedules } = lectern().agents;
      if (schedule === undefined) await schedules.create(agentId, body);
      else await schedules.update(agentId, schedule.id, body);
    },
    ['schedules'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      label={t(schedule === undefined ? 'agents.add' : 'agents.save')}
      isIncomplete={[name, message, cron, timeZone].some((value) => value.trim() === '')}
    >
      {schedule === undefined || schedule.isOwner ? null : (
        <p className="notice notice-warn">{t('agents.schedules.takesOver', { name: schedule.runsAs })}</p>
      )}
      <TextField
        label={t('ui.name')}
        hint={t('agents.schedules.nameHint')}
        value={name}
        onChange={setName}
        error={issueOf(save.error, 'name')}
      />
      <TextArea
        label={t('agents.schedules.message')}
        hint={t('agents.schedules.messageHint')}
        value={message}
        onChange={setMessage}
        error={issueOf(save.error, 'message')}
      />
      <TextField
        label={t('agents.schedules.times')}
        hint={t('agents.schedules.timesHint')}
        value={cron}
        onChange={setCron}
        spellCheck={false}
        error={issueOf(save.error, 'cron')}
      />
      <TextField
        label={t('agents.schedules.timeZone')}
        value={timeZone}
        onChange={setTimeZone}
        list={zones}
        error={issueOf(save.error, 'timeZone')}
      />
      <datalist id={zones}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <ScheduleTargets
        targets={targets}
        stored={schedule?.targets ?? []}
        error={issueOf(save.error, 'targets')}
        onChange={setTargets}
      />
    </Form>
  );
}
