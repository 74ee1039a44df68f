import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const DAYS = [
  { value: 'off', label: 'Never' },
  { value: 'daily', label: 'Every day' },
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((name, index) => ({
    value: String(index + 1),
    label: `Every ${name}`,
  })),
];

/** When the test cases run. */
export function ScheduleForm() {
  const schedule = useQuery({
    queryKey: ['test-schedule'],
    queryFn: ({ signal }) => lectern().testCases.getSchedule({ signal }),
  });
  return (
    <QueryView query={schedule} what="the schedule">
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
      label="Save"
      done="The schedule is saved."
      isCard
      isIncomplete={time === '' || timeZone.trim() === ''}
    >
      <SelectField label="Run the test cases" value={day} options={DAYS} onChange={setDay} />
      {isOn ? (
        <div className="form-grid">
          <TextField
            label="At"
            type="time"
            value={time}
            onChange={setTime}
            required
            error={issueOf(save.error, 'time')}
          />
          <TextField
            label="Time zone"
            value={timeZone}
            onChange={setTimeZone}
            required
            hint="For example Europe/Berlin."
            error={issueOf(save.error, 'timeZone')}
          />
        </div>
      ) : null}
      {nextRunAt === null ? null : <p className="muted small">Next run: {dateTimeText(nextRunAt)}</p>}
    </Form>
  );
}
