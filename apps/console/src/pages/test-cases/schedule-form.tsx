import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const DAYS = [
  { value: 'off', label: t('testCases.days.off') },
  { value: 'daily', label: t('testCases.days.daily') },
  ...WEEKDAYS.map((name, index) => ({ value: String(index + 1), label: t(`testCases.days.${name}`) })),
];

/** When the test cases run. */
export function ScheduleForm() {
  const schedule = useQuery({
    queryKey: ['test-schedule'],
    queryFn: ({ signal }) => lectern().testCases.getSchedule({ signal }),
  });
  return (
    <QueryView query={schedule} what={t('testCases.what.schedule')}>
      {(loaded) => <Editor schedule={loaded} />}
    </QueryView>
  );
}

function Editor({ schedule }: { readonly schedule: Schemas['TestSchedule'] }) {
  const { enabled, weekday, nextRunAt } = schedule;
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [day, setDay] = useState(enabled ? (weekday === null ? 'daily' : String(weekday)) : 'off');
  const [time, setTime] = useState(schedule.time);
  const [timeZone, setTimeZone] = useState(enabled ? schedule.timeZone : ownZone);
  const isOn = day !== 'off';
  const save = useChange(
    () =>
      lectern().testCases.setSchedule({
        enabled: isOn,
        weekday: isOn && day !== 'daily' ? Number(day) : null,
        time,
        timeZone,
      }),
    ['test-schedule'],
  );
  return (
    <Form
      mutation={save}
      label={t('testCases.save')}
      done={t('testCases.scheduleSaved')}
      isCard
      isIncomplete={time === '' || timeZone.trim() === ''}
    >
      <SelectField label={t('testCases.when')} value={day} options={DAYS} onChange={setDay} />
      {isOn ? (
        <div className="form-grid">
          <TextField
            label={t('testCases.at')}
            type="time"
            value={time}
            onChange={setTime}
            required
            error={issueOf(save.error, 'time')}
          />
          <TextField
            label={t('testCases.timeZone')}
            value={timeZone}
            onChange={setTimeZone}
            required
            hint={t('testCases.timeZoneHint')}
            error={issueOf(save.error, 'timeZone')}
          />
        </div>
      ) : null}
      {nextRunAt === null ? null : (
        <p className="muted small">{t('testCases.nextRun', { time: dateTimeText(nextRunAt) })}</p>
      )}
    </Form>
  );
}
